import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { WriteOptions } from '#schemas/types/host.ts';

import { makeFolders } from './make-folders.ts';
import { toNative } from './paths.ts';
import { putInPlace } from './put-in-place.ts';
import { about } from './system-error.ts';
import { targetOf } from './target.ts';
import { timeOf } from './time-of.ts';

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface LargeOptions extends WriteOptions {
  /** That the file gets before it takes its place. */
  readonly times?: { readonly atimeMs: number; readonly mtimeMs: number };
}

/** Writes content of any size through a temporary file; the target changes when the source has ended. */
export async function writeLarge(path: string, content: Content, options: LargeOptions): Promise<void> {
  options.signal?.throwIfAborted();
  const target = targetOf(path, options);
  if (options.parents) makeFolders(dirname(target.path));
  const from = toNative(target.special ? path : target.temporary);
  const file = await open(from, target.special ? 'w' : 'wx', target.mode ?? 0o666).catch((error: unknown) => {
    throw about(error, path);
  });
  const source: Source = {};
  try {
    await closing(file, async () => {
      // The bits of a device are not ours to set: with them it would be taken from everybody else.
      if (target.mode !== undefined && !target.special) await file.chmod(target.mode);
      for await (const chunk of watched(content, source)) await writeAll(file, chunk, options.signal);
      if (options.times && !target.special) await file.utimes(timeOf(options.times.atimeMs), timeOf(options.times.mtimeMs));
      // Pipes and most devices have nothing to flush, and say so by failing.
      if (options.durable && !target.special) await file.sync();
      options.signal?.throwIfAborted();
    });
    if (target.special) return;
    await putInPlace(from, toNative(target.path), options.exclusive ?? false);
    if (options.durable) syncFolder(dirname(target.path));
  } catch (error) {
    if (!target.special) await unlink(from).catch(() => undefined);
    throw error === source.error ? error : about(error, path);
  }
}

interface Source {
  error?: unknown;
}

/** Remembers what went wrong where the content comes from: that is no failure of the target. */
async function* watched(content: Content, source: Source): AsyncGenerator<Uint8Array, void> {
  try {
    yield* content;
  } catch (error) {
    source.error = error;
    throw error;
  }
}

async function closing(file: FileHandle, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    signal?.throwIfAborted();
    at += (await file.write(bytes, at, Math.min(bytes.length - at, 1 << 20))).bytesWritten;
  }
}

/** Makes a rename survive a power cut. Windows has no such call for folders. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(toNative(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
