import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import type { LinkCache } from '#compiler/phases/7-emit/link.ts';

import { isOwn, userCache, type Environment } from './user-cache.ts';

/** Entries that are kept: a hundred sets of commands in two shapes. One of a browser program is about 1 MB. */
const MOST_ENTRIES = 200;
const KEY_BYTES = 32;

/**
 * Opens the user's cache of linked code. Every entry carries a MAC under a key that only this user can read, over its
 * name and its text: what anybody else has put there, or what belongs under another name, is no entry. Undefined where
 * the machine has no folder that is the user's alone.
 */
export function openLinkCache(env: Environment): LinkCache | undefined {
  const home = userCache(env);
  const key = home === undefined ? undefined : keyIn(home);
  if (home === undefined || key === undefined) return undefined;
  const folder = join(home, 'linked');
  const mac = (name: string, text: string): string =>
    createHmac('sha256', key).update(`${name}\0${text}`).digest('hex');
  const fileOf = (name: string): string => join(folder, mac('name', name));
  return {
    read(name) {
      const stored = readOwn(fileOf(name));
      if (stored === undefined) return undefined;
      const end = stored.indexOf('\n');
      const text = stored.slice(end + 1);
      return isSame(stored.slice(0, Math.max(end, 0)), mac(name, text)) ? text : undefined;
    },
    write(name, text) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeWhole(fileOf(name), `${mac(name, text)}\n${text}`);
        prune(folder);
      } catch {
        // Code that cannot be kept is linked again.
      }
    },
  };
}

/** The user's key, made where it is missing. Two that make one at the same moment end with the same. */
function keyIn(home: string): Buffer | undefined {
  const file = join(home, 'key');
  try {
    writeFileSync(file, randomBytes(KEY_BYTES).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch {
    // It is there, or it cannot be made: reading tells.
  }
  const text = readOwn(file);
  return text?.length === KEY_BYTES * 2 ? Buffer.from(text, 'hex') : undefined;
}

/**
 * The text of a regular file of this user's; undefined for anything else. A link is not followed, a pipe not waited
 * for.
 */
function readOwn(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    return stats.isFile() && isOwn(stats) ? readFileSync(descriptor, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Removes the oldest entries above the bound. */
function prune(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST_ENTRIES) return;
  const dated = names.map((name) => ({
    name,
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  for (const { name } of dated.toSorted((a, b) => a.at - b.at).slice(0, names.length - MOST_ENTRIES))
    rmSync(join(folder, name), { force: true });
}

function isSame(given: string, wanted: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === two.length && timingSafeEqual(one, two);
}
