import { chmodSync, linkSync, mkdirSync, readlinkSync, realpathSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Files, WriteOptions } from '#schemas/types/host.ts';

import { absent } from './absent.ts';
import { copy } from './copy/copy.ts';
import type { Bulk, Trees } from './host-parts.ts';
import { yieldTurn } from './threads/yield-turn.ts';
import { makeFolders } from './write/make-folders.ts';
import { fromNative, toNative } from './paths.ts';
import { find, list, lstatOf, openForReading, readWhole, statOf } from './read/read.ts';
import { readRegular } from './read/read-regular.ts';
import { stream } from './read/stream.ts';
import { about, codeOf, naming, namingLater } from './system-error.ts';
import { isTemporary, sweepNow, temporaryBeside } from './write/temporary.ts';
import { pathAtFault } from './copy/path-at-fault.ts';
import { timeOf } from './write/time-of.ts';
import { whenNeeded } from './when-needed.ts';
import { syncFolder, writeLarge } from './write/write-large.ts';
import { writeSmall } from './write/write-small.ts';

/** Content up to this many bytes is written by calls that block. */
const SMALL = 64 * 1024;

/** Operations on files that every program has. */
export const coreFiles: Omit<Files, keyof Bulk | keyof Trees> = {
  stat: statOf,
  lstat: lstatOf,
  find,
  read: import.meta.withoutReading ? absent : readWhole,
  readRegular: import.meta.withoutReading ? absent : readRegular,
  open: import.meta.withoutReading ? absent : openForReading,
  stream,
  write,
  writeStream: (path, content, options = {}) => writeLarge(path, content, options),
  append: (path, content) => namingLater(path, whenNeeded.later.appendFile(toNative(path), content)),
  list: import.meta.withoutReading ? absent : list,
  makeDirectory: async (path, options) => {
    if (!options?.recursive) return atOnce(path, (native) => mkdirSync(native));
    await yieldTurn();
    makeFolders(path);
  },
  rename: move,
  copy,
  remove,
  readLink: (path) => atOnce(path, (native) => fromNative(readlinkSync(native, { encoding: 'buffer' }))),
  link: (target, path) => atOnce(path, (native) => symlinkSync(toNative(target), native)),
  hardLink: (existing, path) => atOnce(existing, (native) => linkSync(native, toNative(path))),
  setTimes: (path, atimeMs, mtimeMs) => atOnce(path, (native) => utimesSync(native, timeOf(atimeMs), timeOf(mtimeMs))),
  setMode: (path, mode) => atOnce(path, (native) => chmodSync(native, mode)),
  realPath: (path) => atOnce(path, (native) => fromNative(realpathSync.native(native, { encoding: 'buffer' }))),
  temporaryBeside,
  isTemporary,
  sweep: async (folder) => sweepNow(folder),
};

/** One call that blocks: a trip to the thread pool takes ten times as long. */
async function atOnce<Result>(path: string, call: (native: string | Buffer) => Result): Promise<Result> {
  await yieldTurn();
  return naming(path, () => call(toNative(path)));
}

async function write(path: string, content: Uint8Array | string, options: WriteOptions = {}): Promise<void> {
  options.signal?.throwIfAborted();
  const atMost = typeof content === 'string' ? content.length * 3 : content.length;
  if (atMost <= SMALL && !options.durable && writeSmall(path, content, options)) return;
  await writeLarge(path, [typeof content === 'string' ? Buffer.from(content) : content], options);
}

async function move(from: string, to: string, options: { readonly durable?: boolean } = {}): Promise<void> {
  try {
    await whenNeeded.later.rename(toNative(from), toNative(to));
  } catch (error) {
    throw about(error, pathAtFault(error, { from, to, needs: { path: dirname(from), mode: 'write' } }));
  }
  if (!options.durable) return;
  for (const folder of new Set([dirname(to), dirname(from)])) syncFolder(folder);
}

/** A call that has to look first could leave what it was to remove. */
async function remove(path: string): Promise<void> {
  try {
    await namingLater(path, whenNeeded.later.unlink(toNative(path)));
  } catch (error) {
    const mayBeFolder = ['EISDIR', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '');
    if (!mayBeFolder || (await lstatOf(path)).kind !== 'directory') throw error;
    await namingLater(path, whenNeeded.later.rmdir(toNative(path)));
  }
}
