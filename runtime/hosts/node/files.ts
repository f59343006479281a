import { appendFile, chmod, mkdir, mkdtemp, readFile, readlink, realpath, rename, rm, rmdir, symlink, unlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Files, WriteOptions } from '#schemas/types/host.ts';

import { copy } from './copy.ts';
import { fromNative, toNative } from './paths.ts';
import { find, list, lstatOf, openForReading, statOf, stream } from './read.ts';
import { writeLarge } from './write-large.ts';
import { writeSmall } from './write-small.ts';

/** Content up to this many bytes is written by calls that block. */
const SMALL = 64 * 1024;

export const files: Files = {
  stat: statOf,
  lstat: lstatOf,
  find,
  read: async (path) => readFile(toNative(path)),
  open: openForReading,
  stream,
  write,
  writeStream: (path, content, options = {}) => writeLarge(path, content, options),
  append: async (path, content) => appendFile(toNative(path), content),
  list,
  makeDirectory: async (path, options) => void (await mkdir(toNative(path), { recursive: options?.recursive ?? false })),
  rename: async (from, to) => rename(toNative(from), toNative(to)),
  copy,
  remove: async (path) => {
    const { kind } = await lstatOf(path);
    return kind === 'directory' ? rmdir(toNative(path)) : unlink(toNative(path));
  },
  removeTree,
  readLink: async (path) => fromNative(await readlink(toNative(path), { encoding: 'buffer' })),
  link: async (target, path) => symlink(toNative(target), toNative(path)),
  setTimes: async (path, atimeMs, mtimeMs) => utimes(toNative(path), atimeMs / 1000, mtimeMs / 1000),
  setMode: async (path, mode) => chmod(toNative(path), mode),
  realPath: async (path) => fromNative(await realpath(toNative(path), { encoding: 'buffer' })),
  temporaryDirectory: async (prefix) => mkdtemp(join(tmpdir(), prefix)),
};

async function write(path: string, content: Uint8Array | string, options: WriteOptions = {}): Promise<void> {
  options.signal?.throwIfAborted();
  const atMost = typeof content === 'string' ? content.length * 3 : content.length;
  if (atMost <= SMALL && !options.durable) return writeSmall(path, content, options);
  await writeLarge(path, [typeof content === 'string' ? Buffer.from(content) : content], options);
}

async function removeTree(path: string): Promise<void> {
  await rm(toNative(path), { recursive: true, maxRetries: 5, retryDelay: 50 });
}
