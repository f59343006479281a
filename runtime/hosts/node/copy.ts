import { copyFile, stat, unlink, utimes } from 'node:fs/promises';

import { toNative } from './paths.ts';
import { putInPlace } from './put-in-place.ts';
import { stream } from './read.ts';
import { about } from './system-error.ts';
import { targetOf } from './target.ts';
import { writeLarge } from './write-large.ts';

/** Above this size the copy is made in chunks, so that it can be cancelled. */
const LARGE = 8 * 1024 * 1024;

/** Content and permission bits; with `metadata` the times too. The target appears whole. */
export async function copy(from: string, to: string, options: { readonly metadata?: boolean; readonly signal?: AbortSignal } = {}): Promise<void> {
  options.signal?.throwIfAborted();
  const source = await stat(toNative(from));
  const mode = source.mode & 0o7777;
  const target = targetOf(to, { mode });
  if (source.size > LARGE || target.special || !source.isFile()) {
    await writeLarge(to, stream(from, options.signal && { signal: options.signal }), { mode, ...(options.signal && { signal: options.signal }) });
    if (options.metadata && !target.special) await utimes(toNative(to), source.atimeMs / 1000, source.mtimeMs / 1000);
    return;
  }
  const temporary = toNative(target.temporary);
  try {
    await copyFile(toNative(from), temporary);
    if (options.metadata) await utimes(temporary, source.atimeMs / 1000, source.mtimeMs / 1000);
    options.signal?.throwIfAborted();
    await putInPlace(temporary, toNative(target.path), false);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw about(error, to);
  }
}
