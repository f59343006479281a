import { mkdirSync } from 'node:fs';
import { appendFile, chmod, link, mkdtemp, readlink, realpath, rename, rm, rmdir, symlink, unlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Files, WriteOptions } from '#schemas/types/host.ts';

import { copy } from './copy.ts';
import { copyMany } from './copy-many.ts';
import { digestFile } from './digest-file.ts';
import { giveWay } from './give-way.ts';
import { makeFolders } from './make-folders.ts';
import { fromNative, toNative } from './paths.ts';
import { find, list, lstatOf, openForReading, readWhole, statOf } from './read.ts';
import { sameContent } from './same-content.ts';
import { stream } from './stream.ts';
import { codeOf, naming, namingLater } from './system-error.ts';
import { survey } from './survey.ts';
import { isTemporary, sweepNow, temporaryBeside } from './temporary.ts';
import { timeOf } from './time-of.ts';
import { syncFolder, writeLarge } from './write-large.ts';
import { writeSmall } from './write-small.ts';

/** Content up to this many bytes is written by calls that block. */
const SMALL = 64 * 1024;

export const files: Files = {
  stat: statOf,
  lstat: lstatOf,
  find,
  read: readWhole,
  open: openForReading,
  stream,
  digest: digestFile,
  write,
  writeStream: (path, content, options = {}) => writeLarge(path, content, options),
  append: (path, content) => namingLater(path, appendFile(toNative(path), content)),
  list,
  survey,
  makeDirectory: async (path, options) => {
    await giveWay();
    if (options?.recursive) return makeFolders(path);
    naming(path, () => mkdirSync(toNative(path)));
  },
  rename: move,
  copy,
  copyMany,
  sameContent,
  remove,
  removeTree,
  readLink: async (path) => fromNative(await namingLater(path, readlink(toNative(path), { encoding: 'buffer' }))),
  link: (target, path) => namingLater(path, symlink(toNative(target), toNative(path))),
  hardLink: (existing, path) => namingLater(existing, link(toNative(existing), toNative(path))),
  setTimes: (path, atimeMs, mtimeMs) => namingLater(path, utimes(toNative(path), timeOf(atimeMs), timeOf(mtimeMs))),
  setMode: (path, mode) => namingLater(path, chmod(toNative(path), mode)),
  realPath: async (path) => fromNative(await namingLater(path, realpath(toNative(path), { encoding: 'buffer' }))),
  temporaryBeside,
  isTemporary,
  sweep: async (folder) => sweepNow(folder),
  temporaryDirectory: async (prefix) => mkdtemp(join(tmpdir(), prefix)),
};

async function write(path: string, content: Uint8Array | string, options: WriteOptions = {}): Promise<void> {
  options.signal?.throwIfAborted();
  const atMost = typeof content === 'string' ? content.length * 3 : content.length;
  if (atMost <= SMALL && !options.durable && writeSmall(path, content, options)) return;
  await writeLarge(path, [typeof content === 'string' ? Buffer.from(content) : content], options);
}

async function move(from: string, to: string, options: { readonly durable?: boolean } = {}): Promise<void> {
  await namingLater(from, rename(toNative(from), toNative(to)));
  if (!options.durable) return;
  for (const folder of new Set([dirname(to), dirname(from)])) syncFolder(folder);
}

/** A call that has to look first could leave what it was to remove. */
async function remove(path: string): Promise<void> {
  try {
    await namingLater(path, unlink(toNative(path)));
  } catch (error) {
    const mayBeFolder = ['EISDIR', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '');
    if (!mayBeFolder || (await lstatOf(path)).kind !== 'directory') throw error;
    await namingLater(path, rmdir(toNative(path)));
  }
}

async function removeTree(path: string): Promise<void> {
  await rm(toNative(path), { recursive: true, maxRetries: 5, retryDelay: 50 });
}
