import type * as Crypto from 'node:crypto';
import type * as FileSystem from 'node:fs';

/** Job of a digester; the path as the system takes it. */
export interface DigestJob {
  readonly path: string | Uint8Array;
  readonly algorithm: string;
  /** Bytes of the result, where the function has no length of its own. */
  readonly length: number | undefined;
  /** The first byte that does not count. */
  readonly end: number;
  /** Bytes that are read at once. */
  readonly chunk: number;
  /** Largest file (bytes) that is digested without asking the caller first. */
  readonly most: number;
}

/**
 * `changed`: the file was written to meanwhile. `large`: it is larger than `most`. `special`: it is no regular file.
 */
export type DigestOutcome =
  | { readonly hex: string }
  | 'changed'
  | 'large'
  | 'special'
  | { readonly code: string; readonly message: string };

/**
 * Makes a function that works out the digest of a regular file by calls that block, through one buffer for all files.
 * It yields after each piece. The text of this function also runs in a thread of its own (`digest-file.ts`), so it uses
 * nothing but what it is given.
 */
export function makeDigester(
  fs: Pick<typeof FileSystem, 'openSync' | 'closeSync' | 'readSync' | 'fstatSync'>,
  flags: number,
  crypto: () => Pick<typeof Crypto, 'createHash' | 'hash'>,
) {
  let buffer = Buffer.alloc(0);

  const opened = (algorithm: string, length: number | undefined): Crypto.Hash =>
    crypto().createHash(algorithm, length === undefined ? {} : { outputLength: length });

  function* digested(file: number, { algorithm, length, end, chunk, most }: DigestJob): Generator<void, DigestOutcome> {
    const before = fs.fstatSync(file);
    if (!before.isFile()) return 'special';
    // Files of the kernel's own say that they are empty, and are not.
    const last = before.size === 0 ? end : Math.min(before.size, end);
    if (last > most && before.size > 0) return 'large';
    const piece = Math.min(chunk, Math.max(before.size, 1 << 16));
    if (buffer.length < piece) buffer = Buffer.allocUnsafeSlow(piece);
    let hash: Crypto.Hash | undefined;
    let hex: string | undefined;
    let position = 0;
    while (position < last) {
      const read = fs.readSync(file, buffer, 0, Math.min(piece, last - position), position);
      if (read === 0) break;
      const bytes = read === buffer.length ? buffer : buffer.subarray(0, read);
      position += read;
      // Content that is read at once: what one call does takes a quarter of the time of three.
      if (position === read && position === last && length === undefined) hex = crypto().hash(algorithm, bytes, 'hex');
      else (hash ??= opened(algorithm, length)).update(bytes);
      // Others may use the buffer meanwhile: nothing of it is needed any more.
      yield;
    }
    hex ??= (hash ?? opened(algorithm, length)).digest('hex');
    const after = fs.fstatSync(file);
    const isWhole = before.size === 0 || position === last;
    return isWhole && after.size === before.size && after.mtimeMs === before.mtimeMs ? { hex } : 'changed';
  }

  return function* digest(job: DigestJob): Generator<void, DigestOutcome> {
    let file = -1;
    try {
      file = fs.openSync(job.path as string, flags);
      return yield* digested(file, job);
    } catch (error) {
      const { code, message } = error as { readonly code?: unknown; readonly message: string };
      return { code: String(code ?? ''), message };
    } finally {
      try {
        if (file >= 0) fs.closeSync(file);
      } catch {
        // Nothing was written: the digest is right, or another error is the one to tell.
      }
    }
  };
}
