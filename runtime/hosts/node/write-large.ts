import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { WriteOptions } from '#schemas/types/host.ts';

import { toNative } from './paths.ts';
import { putInPlace } from './put-in-place.ts';
import { about } from './system-error.ts';
import { targetOf } from './target.ts';

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Writes content of any size through a temporary file; the target changes when the source has ended. */
export async function writeLarge(path: string, content: Content, options: WriteOptions): Promise<void> {
  options.signal?.throwIfAborted();
  const target = targetOf(path, options);
  if (options.parents) await mkdir(toNative(dirname(target.path)), { recursive: true });
  const from = toNative(target.special ? path : target.temporary);
  const file = await open(from, target.special ? 'w' : 'wx', target.mode ?? 0o666).catch((error: unknown) => {
    throw about(error, path);
  });
  try {
    await closing(file, async () => {
      if (target.mode !== undefined) await file.chmod(target.mode);
      for await (const chunk of content) await writeAll(file, chunk, options.signal);
      if (options.durable) await file.sync();
      options.signal?.throwIfAborted();
    });
    if (target.special) return;
    await putInPlace(from, toNative(target.path), options.exclusive ?? false);
    if (options.durable) syncFolder(dirname(target.path));
  } catch (error) {
    if (!target.special) await unlink(from).catch(() => undefined);
    throw about(error, path);
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
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(toNative(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
