import { closeSync, fsyncSync, openSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { WriteOptions } from '#schemas/types/host.ts';

import { makeFolders } from './make-folders.ts';
import { toNative } from '../paths.ts';
import { putInPlace } from './put-in-place.ts';
import { about } from '../system-error.ts';
import { targetOf, type Target } from './target.ts';
import { timeOf } from './time-of.ts';
import { whenNeeded } from '../when-needed.ts';
import { writeSpecial } from './write-special.ts';

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface LargeOptions extends WriteOptions {
  /** Times that the file gets before it takes its place. */
  readonly times?: { readonly atimeMs: number; readonly mtimeMs: number };
}

/** Writes content of any size through a temporary file; the target changes when the source has ended. */
export async function writeLarge(path: string, content: Content, options: LargeOptions): Promise<void> {
  options.signal?.throwIfAborted();
  const target = targetOf(path, options);
  const source: Source = {};
  try {
    if (target.special) await writeSpecial(path, watched(content, source), options.signal);
    else await writeBeside(target, watched(content, source), options);
  } catch (error) {
    throw error === source.error ? error : about(error, path);
  }
}

async function writeBeside(target: Target, content: AsyncIterable<Uint8Array>, options: LargeOptions): Promise<void> {
  if (options.parents) makeFolders(dirname(target.path));
  const from = toNative(target.temporary);
  const file = await whenNeeded.later.open(from, 'wx', target.mode ?? 0o666);
  try {
    await closing(file, async () => {
      if (target.mode !== undefined) {
        // Under the permission model of Node no call that takes a descriptor may change the mode.
        if (process.permission === undefined) await file.chmod(target.mode);
        else await whenNeeded.later.chmod(from, target.mode);
      }
      for await (const chunk of content) await writeAll(file, chunk, options.signal);
      if (options.times) await file.utimes(timeOf(options.times.atimeMs), timeOf(options.times.mtimeMs));
      if (options.durable) await file.sync();
      options.signal?.throwIfAborted();
    });
    await putInPlace(from, toNative(target.path), options.exclusive ?? false);
    if (options.durable) syncFolder(dirname(target.path));
  } catch (error) {
    await whenNeeded.later.unlink(from).catch(() => undefined);
    throw error;
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
  for (let at = 0; at < bytes.length;) {
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
