import { dirname, join, relative, resolve, sep } from 'node:path';

import type { MoveIntoOptions, MovedEntry } from '#schemas/types/host.ts';

import { pathAtFault } from '../copy/path-at-fault.ts';
import { fromNative, toNative } from '../paths.ts';
import { about, codeOf, naming, systemError } from '../system-error.ts';
import { whenNeeded } from '../when-needed.ts';
import { entryOf, heldPaths, hold, letGo } from './held.ts';
import { makeFolders } from './make-folders.ts';
import { timeOf } from './time-of.ts';

/** So many moves at once, since each is a trip to the thread pool. */
const AT_ONCE = 16;

/**
 * Moves entries into a folder below another one. On Linux the folder is held by a descriptor: each folder on the way is
 * opened in the one before it, and one that has become a link is refused. Links that were there at the beginning count
 * as what they lead to.
 */
export async function moveInto(
  folder: string,
  entries: readonly MovedEntry[],
  options: MoveIntoOptions,
): Promise<void> {
  if (!heldPaths()) {
    makeFolders(folder);
    return await move(folder, toNative(folder), entries, options);
  }
  const held = naming(folder, () => open(options.below, folder));
  try {
    await move(folder, Buffer.from(`/proc/self/fd/${held}`), entries, options);
  } finally {
    letGo(held);
  }
}

async function move(
  folder: string,
  native: Buffer | string,
  entries: readonly MovedEntry[],
  { mode, times }: MoveIntoOptions,
): Promise<void> {
  const { later } = whenNeeded;
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const moving = entries.slice(at, at + AT_ONCE).map(async ({ from, name }) => {
      try {
        await later.rename(toNative(from), Buffer.concat([native, '/', toNative(name)].map(bytesOf)));
      } catch (error) {
        const needs = { path: dirname(from), mode: 'write' } as const;
        throw about(error, pathAtFault(error, { from, to: join(folder, name), needs }));
      }
    });
    const failed = (await Promise.allSettled(moving)).find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
  try {
    if (mode !== undefined) await later.chmod(native, mode);
    if (times) await later.utimes(native, timeOf(times.atimeMs), timeOf(times.mtimeMs));
  } catch (error) {
    throw about(error, folder);
  }
}

/** A descriptor of the folder, which is made with those above it. */
function open(below: string, path: string): number {
  const top = realPath(below);
  const way = relative(top, realPlace(resolve(path)));
  if (way === '..' || way.startsWith(`..${sep}`)) throw systemError('ELOOP', 'a link on the way leads elsewhere', path);
  let folder = hold(toNative(top), { follow: true });
  for (const name of way === '' ? [] : way.split(sep)) {
    try {
      const entry = entryOf(folder, bytesOf(toNative(name)));
      make(entry);
      const above = folder;
      folder = hold(entry);
      letGo(above);
    } catch (error) {
      letGo(folder);
      throw error;
    }
  }
  return folder;
}

function make(folder: Buffer): void {
  try {
    whenNeeded.fs.mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function realPath(path: string): string {
  return fromNative(whenNeeded.fs.realpathSync.native(toNative(path), { encoding: 'buffer' }));
}

/** Real path of a path that may not exist yet: its nearest folder that exists decides. */
function realPlace(path: string): string {
  try {
    return realPath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(realPlace(dirname(path)), relative(dirname(path), path));
  }
}

function bytesOf(text: Buffer | string): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text;
}
