import type { Dirent } from 'node:fs';
import { basename, dirname } from 'node:path';

import { yieldTurn } from '../threads/yield-turn.ts';
import { heldPaths, hold, entryOf, letGo } from './held.ts';
import { fromNative, toNative } from '../paths.ts';
import { about, codeOf } from '../system-error.ts';
import { whenNeeded } from '../when-needed.ts';

/** Attempts at emptying a folder that another process fills meanwhile, with `PAUSE` (ms) between them. */
const ATTEMPTS = 5;
const PAUSE = 50;

/**
 * Removes a folder with everything in it, a link as a link. On Linux each folder is held by a descriptor while it is
 * emptied, so that nothing outside is ever removed, whatever another process puts in the place of a folder meanwhile.
 * Elsewhere Node offers no such way, and a process that swaps folders for links at the right moment could lead the walk
 * elsewhere.
 */
export async function removeTree(path: string): Promise<void> {
  if (!heldPaths())
    return whenNeeded.later.rm(toNative(path), { recursive: true, maxRetries: ATTEMPTS, retryDelay: PAUSE });
  const above = await naming(path, () => hold(toNative(dirname(path)), { follow: true }));
  try {
    await removeEntry(above, Buffer.from(toNative(basename(path))), path);
  } finally {
    letGo(above);
  }
}

/** An entry of a held folder. */
async function removeEntry(above: number, name: Buffer, shown: string): Promise<void> {
  const own = entryOf(above, name);
  const folder = await naming(shown, () => holdFolder(own));
  if (folder === undefined) return naming(shown, () => whenNeeded.fs.unlinkSync(own));
  try {
    for (let attempt = 1; ; attempt += 1) {
      await removeInside(folder, shown);
      try {
        return whenNeeded.fs.rmdirSync(own);
      } catch (error) {
        if (codeOf(error) !== 'ENOTEMPTY' || attempt === ATTEMPTS) throw about(error, shown);
        await new Promise((done) => setTimeout(done, PAUSE));
      }
    }
  } finally {
    letGo(folder);
  }
}

async function removeInside(folder: number, shown: string): Promise<void> {
  const place = entryOf(folder, Buffer.from('.'));
  const entries = await naming(shown, (): Dirent<Buffer>[] =>
    whenNeeded.fs.readdirSync(place, { withFileTypes: true, encoding: 'buffer' }),
  );
  for (const entry of entries) {
    await yieldTurn();
    const below = `${shown}/${fromNative(entry.name)}`;
    if (entry.isDirectory()) await removeEntry(folder, entry.name, below).catch(unlessGone);
    else await naming(below, () => whenNeeded.fs.unlinkSync(entryOf(folder, entry.name))).catch(unlessGone);
  }
}

/** Undefined for what is no folder, a link to one among them. */
function holdFolder(path: Buffer): number | undefined {
  try {
    return hold(path);
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP') return undefined;
    throw error;
  }
}

/** Somebody else was faster. */
function unlessGone(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}

/** Runs `work`; its errors name the path as the caller wrote it. */
async function naming<Result>(shown: string, work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    throw about(error, shown);
  }
}
