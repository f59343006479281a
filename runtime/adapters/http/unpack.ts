import { ZstdFrames } from './zstd-frames.ts';

/** The body of an answer could not be unpacked. */
export class UnpackError extends Error {
  readonly encoding: string;

  /** `cause` is the error of the unpacker, or says in words what is wrong. */
  constructor(encoding: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.encoding = encoding;
  }
}

export const TOO_MANY = 'more than four codings in a row';

/** The unpacked body would be larger than the limit. */
export class UnpackedTooLarge extends Error {}

/** Undoes `Content-Encoding`, the last coding first, never holding more than `limit` bytes. */
export async function unpack(body: Uint8Array, contentEncoding: string, limit: number): Promise<Uint8Array> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  let bytes = body;
  // Four codings in a row are already odd; more are an attack on the reader.
  if (codings.length > 4) throw new UnpackError(codings.join(', '), TOO_MANY);
  for (const coding of codings.reverse()) bytes = bytes.length === 0 ? bytes : await undo(coding, bytes, limit);
  return bytes;
}

async function undo(coding: string, bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  // Loaded when an answer is packed: most small ones are not.
  const { brotliDecompress, gunzip, inflate, inflateRaw } = process.getBuiltinModule('node:zlib');
  try {
    switch (coding) {
      case 'gzip':
      case 'x-gzip':
        return await call(gunzip, bytes, limit);
      case 'deflate':
        // "deflate" means zlib data; many servers send raw deflate data instead.
        return await call((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw, bytes, limit);
      case 'br':
        return await call(brotliDecompress, bytes, limit);
      case 'zstd':
        return await allFrames(bytes, limit);
      default:
        throw new UnpackError(coding, 'no such coding is known');
    }
  } catch (error) {
    if (error instanceof UnpackedTooLarge || error instanceof UnpackError) throw error;
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new UnpackedTooLarge();
    throw new UnpackError(coding, error);
  }
}

/** Older releases of Node read the first frame of zstd alone, as if nothing stood behind it. */
async function allFrames(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  const known = new ZstdFrames();
  known.take(bytes);
  if (!known.isWhole) throw new Error('its last frame is cut short');
  const frames: Uint8Array[] = [];
  let length = 0;
  for (let rest = bytes; rest.length > 0;) {
    const { buffer, engine } = await oneFrame(rest, Math.max(1, limit - length));
    frames.push(buffer);
    length += buffer.length;
    if (length > limit) throw new UnpackedTooLarge();
    if (engine.bytesWritten === 0) throw new Error('a frame of zstd takes nothing');
    rest = rest.subarray(engine.bytesWritten);
  }
  return Buffer.concat(frames);
}

/** `engine.bytesWritten`: how much of what was given the frame takes. */
interface Frame {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function oneFrame(bytes: Uint8Array, limit: number): Promise<Frame> {
  const { zstdDecompress } = process.getBuiltinModule('node:zlib');
  return new Promise((resolve, reject) => {
    // With `info` the result is both, which its types do not say.
    zstdDecompress(bytes, { maxOutputLength: limit, info: true }, (error, result) =>
      error ? reject(error) : resolve(result as unknown as Frame),
    );
  });
}

type Callback = (error: Error | null, result: Uint8Array) => void;
type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }, callback: Callback) => void;

function call(decompress: Decompress, bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    decompress(bytes, { maxOutputLength: limit }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
