import { pipeline, type Transform } from 'node:stream';

import { TOO_MANY, UnpackError } from './unpack.ts';
import { ZstdFrames } from './zstd-frames.ts';

/** Undoes `Content-Encoding` piece by piece, the last coding first. How much comes out is the reader's to bound. */
export function unpackStream(body: AsyncIterable<Uint8Array>, contentEncoding: string): AsyncIterable<Uint8Array> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  // Four codings in a row are already odd; more are an attack on the reader.
  if (codings.length > 4) throw new UnpackError(codings.join(', '), TOO_MANY);
  return codings.reduceRight(undo, body);
}

async function* undo(body: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array, void> {
  const pieces = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  // Nothing at all is what servers send for an empty packed file.
  if (first.done) return;
  const transform = decoder(coding, first.value);
  const given: Given = { bytes: 0, ...(coding === 'zstd' && { frames: new ZstdFrames() }) };
  const source = { [Symbol.asyncIterator]: () => again(first.value, pieces, given) };
  pipeline(source, transform, () => undefined);
  try {
    for await (const piece of transform) yield piece as Uint8Array;
    // The reader of older releases of Node ends with the first frame, as if nothing came behind it.
    if (given.frames && transform.bytesWritten < given.bytes)
      throw new UnpackError(coding, new Error('more stands behind its first frame'));
    if (given.frames?.isWhole === false) throw new UnpackError(coding, new Error('its last frame is cut short'));
  } catch (error) {
    throw isOfZlib(error) ? new UnpackError(coding, error) : error;
  }
}

/** Bytes that a decoder was given so far. */
interface Given {
  bytes: number;
  readonly frames?: ZstdFrames;
}

async function* again(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  given: Given,
): AsyncGenerator<Uint8Array, void> {
  try {
    for (let bytes: Uint8Array | undefined = first; bytes !== undefined;) {
      given.bytes += bytes.length;
      given.frames?.take(bytes);
      yield bytes;
      const next: IteratorResult<Uint8Array> = await rest.next();
      bytes = next.done ? undefined : next.value;
    }
  } finally {
    await rest.return?.();
  }
}

function decoder(coding: string, first: Uint8Array): Transform & { readonly bytesWritten: number } {
  const zlib = process.getBuiltinModule('node:zlib');
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      // "deflate" means zlib data; many servers send raw deflate data instead.
      return (first[0] ?? 0) % 16 === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      return zlib.createZstdDecompress();
    default:
      throw new UnpackError(coding, undefined);
  }
}

function isOfZlib(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:Z_|ERR__ERROR|ERR_BROTLI|ERR_ZSTD|ZSTD_)/.test(String(error.code))
  );
}
