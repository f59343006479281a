import { createReadStream } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import type { Dirent, Stats } from 'node:fs';

import type { DirectoryEntry, Files, FileStat, OpenFile } from '#schemas/types/host.ts';

import { fromNative, toNative } from './paths.ts';
import { codeOf } from './system-error.ts';

type Kinded = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO' | 'isSocket'>;

export async function statOf(path: string): Promise<FileStat> {
  return described(await stat(toNative(path)));
}

export async function lstatOf(path: string): Promise<FileStat> {
  return described(await lstat(toNative(path)));
}

/** Undefined where nothing is there. */
export async function find(path: string): Promise<FileStat | undefined> {
  try {
    return await statOf(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function described(stats: Stats): FileStat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mode: stats.mode,
    mtime_ms: stats.mtimeMs,
    atime_ms: stats.atimeMs,
    birthtime_ms: stats.birthtimeMs,
    dev: stats.dev,
    ino: stats.ino,
    nlink: stats.nlink,
  };
}

function kindOf(entry: Kinded): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isFIFO()) return 'fifo';
  return entry.isSocket() ? 'socket' : 'device';
}

export async function list(path: string): Promise<readonly DirectoryEntry[]> {
  const native = toNative(path);
  const entries = await readdir(native, { withFileTypes: true });
  if (!entries.some((entry) => entry.name.includes('\ufffd'))) return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  const raw: Dirent<Buffer>[] = await readdir(native, { withFileTypes: true, encoding: 'buffer' });
  return raw.map((entry) => ({ name: fromNative(entry.name), kind: kindOf(entry) }));
}

export async function openForReading(path: string): Promise<OpenFile> {
  const file = await open(toNative(path), 'r');
  const { size } = await file.stat();
  return {
    size,
    readAt: async (position, length) => {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => file.close(),
  };
}

/** `end` is the first byte that is not read. */
export const stream: Files['stream'] = (path, { start, end, chunk = 64 * 1024, signal } = {}) => {
  if (end !== undefined && end <= (start ?? 0)) return nothing();
  return createReadStream(toNative(path), {
    highWaterMark: chunk,
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end: end - 1 }),
    ...(signal && { signal }),
  });
};

async function* nothing(): AsyncIterable<Uint8Array> {}
