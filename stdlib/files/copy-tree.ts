import { join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

import { entryAt } from './kind.ts';
import { isWithin, realPathOf } from './real-path.ts';
import { walkAll, type Found } from './walk.ts';

export interface CopyPlace {
  readonly files: Files;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/**
 * Copies what is below one folder into another, which is made when it is missing. Files that are there are replaced, others
 * stay; times and permission bits are carried over. Links are made anew as links, and nothing is ever written through one.
 * Everything is looked at first: what cannot be copied is refused before the first byte is written.
 */
export async function copyTree(place: CopyPlace, from: string, to: string): Promise<void> {
  const { files, signal } = place;
  await refuseOverlap(place, from, to);
  const found = await walkAll(files, from, { signal });
  for (const { kind, path } of found) {
    if (kind !== 'file' && kind !== 'directory' && kind !== 'symlink') throw fail.specialFile({ path });
  }
  await files.makeDirectory(to, { recursive: true });
  for (const entry of found) {
    signal.throwIfAborted();
    await copyEntry(place, entry, join(to, entry.name));
  }
  // A folder's times change while it is filled, so they come last, the deepest first.
  for (const { kind, path, name } of found.reverse()) {
    if (kind === 'directory') await copyTimes(files, path, join(to, name));
  }
}

async function refuseOverlap({ files, cwd }: CopyPlace, from: string, to: string): Promise<void> {
  const source = await realPathOf(files, cwd, from);
  const target = await realPathOf(files, cwd, to);
  if (source === target) throw fail.sameFile({ source: from, target: to });
  if (isWithin(source, target)) throw fail.targetInsideSource({ source: from, target: to });
}

async function copyEntry(place: CopyPlace, { kind, path }: Found, target: string): Promise<void> {
  try {
    if (kind === 'directory') await copyFolder(place.files, target);
    else if (kind === 'symlink') await copyLink(place.files, path, target);
    else await copyFile(place, path, target);
  } catch (error) {
    place.signal.throwIfAborted();
    throw fail.copyFailed({ source: path, target, cause: error });
  }
}

async function copyFolder(files: Files, target: string): Promise<void> {
  const there = await entryAt(files, target);
  if (there === undefined) await files.makeDirectory(target);
  else if (there.kind !== 'directory') throw fail.notAFolder({ path: target });
}

async function copyFile({ files, signal }: CopyPlace, path: string, target: string): Promise<void> {
  await clearTheWay(files, target);
  await files.copy(path, target, { metadata: true, signal });
}

async function copyLink(files: Files, path: string, target: string): Promise<void> {
  const text = await files.readLink(path);
  const there = await entryAt(files, target);
  if (there?.kind === 'directory') throw fail.isAFolder({ path: target });
  if (there !== undefined) await files.remove(target);
  await files.link(text, target);
}

/** A link in the place of a file is taken away: writing through it would change a file outside of the target folder. */
async function clearTheWay(files: Files, target: string): Promise<void> {
  const there = await entryAt(files, target);
  if (there?.kind === 'symlink') await files.remove(target);
  else if (there?.kind === 'directory') throw fail.isAFolder({ path: target });
}

async function copyTimes(files: Files, from: string, to: string): Promise<void> {
  const { mode, atime_ms, mtime_ms } = await files.lstat(from);
  await files.setMode(to, mode & 0o7777);
  await files.setTimes(to, atime_ms, mtime_ms);
}

