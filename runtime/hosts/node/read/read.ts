import { closeSync, fstatSync, lstatSync, readdirSync, readSync, statSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';

import type { DirectoryEntry, FileStat, OpenFile } from '#schemas/types/host.ts';

import { yieldTurn } from '../threads/yield-turn.ts';
import { openAtOnce } from './open-at-once.ts';
import { fromNative, toNative } from '../paths.ts';
import { about, naming } from '../system-error.ts';
import { whenNeeded } from '../when-needed.ts';

/** Size (bytes) up to which files are read at once, as `write` has it. */
const SMALL = 64 * 1024;

type Kinded = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO' | 'isSocket'>;

export async function statOf(path: string): Promise<FileStat> {
  await yieldTurn();
  return described(naming(path, () => statSync(toNative(path))));
}

export async function lstatOf(path: string): Promise<FileStat> {
  await yieldTurn();
  return described(naming(path, () => lstatSync(toNative(path))));
}

/** Undefined where nothing is there, or where the permission model of Node lets this process see nothing. */
export async function find(path: string): Promise<FileStat | undefined> {
  await yieldTurn();
  if (process.permission?.has('fs.read', path) === false) return undefined;
  const stats = naming(path, () => standing(toNative(path)));
  return stats && described(stats);
}

/** Nothing stands under a name that is longer than names can be. */
function standing(path: string | Buffer): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

/** Whole content. That of small files by calls that block: a trip to the thread pool takes longer than they. */
export async function readWhole(path: string): Promise<Uint8Array> {
  await yieldTurn();
  return naming(path, () => readSmall(toNative(path))) ?? whenNeeded.later.readFile(toNative(path));
}

/** Undefined for a file that is not small, and for all that is no regular file. */
function readSmall(native: string | Buffer): Uint8Array | undefined {
  const file = openAtOnce(native);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size === 0 || stats.size > SMALL) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size + 1);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
      read = readSync(file, bytes, filled, bytes.length - filled, filled);
    // It has grown meanwhile.
    return filled < bytes.length ? bytes.subarray(0, filled) : undefined;
  } finally {
    closeSync(file);
  }
}

export function described(stats: Stats): FileStat {
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
  await yieldTurn();
  const native = toNative(path);
  const entries = naming(path, () => readdirSync(native, { withFileTypes: true }));
  if (!entries.some((entry) => entry.name.includes('\ufffd')))
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  const raw: Dirent<Buffer>[] = readdirSync(native, { withFileTypes: true, encoding: 'buffer' });
  return raw.map((entry) => ({ name: fromNative(entry.name), kind: kindOf(entry) }));
}

export async function openForReading(path: string): Promise<OpenFile> {
  const told = (error: unknown): never => {
    throw about(error, path);
  };
  const file = await whenNeeded.later.open(toNative(path), 'r').catch(told);
  const close = (): Promise<void> => file.close().catch(told);
  const { size } = await file.stat().catch(async (error: unknown) => {
    await close();
    return told(error);
  });
  return {
    size,
    readAt: async (position, length) => {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled).catch(told);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close,
  };
}
