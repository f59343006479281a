import { join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { FileCopy, Files, FileStat } from '#schemas/types/host.ts';

import { entryAt } from './kind.ts';
import { isWithin, realPathOf } from './real-path.ts';

/** Files that are copied in one go. */
const BATCH = 512;

export interface CopyPlace {
  readonly files: Files;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/**
 * Copies what is below one folder into another, which is made when it is missing. Files that are there are replaced,
 * others stay; times and permission bits are carried over. Links are made anew as links, and nothing is ever written
 * through one. Everything is looked at first: what cannot be copied is refused before the first byte is written.
 */
export async function copyTree(place: CopyPlace, from: string, to: string): Promise<void> {
  const { files, signal } = place;
  const real = await refuseOverlap(place, from, to);
  const found = await surveyed(place, from);
  const entries = found.map((entry) => ({ ...entry, target: join(to, entry.name) }));
  await files.makeDirectory(to, { recursive: true });
  for (const entry of entries) {
    signal.throwIfAborted();
    if (entry.stat.kind !== 'file') await copyEntry(place, entry);
  }
  const filesOnly = entries.filter(({ stat }) => stat.kind === 'file');
  await copyFiles(
    place,
    filesOnly.map((entry) => ({
      ...entry,
      real: { from: join(real.from, entry.name), to: join(real.to, entry.name) },
    })),
  );
  // A folder's times change while it is filled, so they come last, the deepest first.
  for (const { stat, path, target } of entries.reverse()) {
    if (stat.kind === 'directory') await copyTimes(files, path, target);
  }
}

/** Paths that `copyTree` would write, sorted; fails for what it refuses before the first byte. */
export async function targetsOf(place: CopyPlace, from: string, to: string): Promise<readonly string[]> {
  await refuseOverlap(place, from, to);
  return (await surveyed(place, from)).map(({ name }) => join(to, name)).sort();
}

interface Entry {
  readonly path: string;
  readonly target: string;
  readonly stat: FileStat;
}

/** All that is below a folder, a folder before what is in it. Entries that cannot be copied are refused. */
async function surveyed(
  { files, signal }: CopyPlace,
  root: string,
): Promise<readonly { readonly name: string; readonly path: string; readonly stat: FileStat }[]> {
  const found: { readonly name: string; readonly path: string; readonly stat: FileStat }[] = [];
  const open = [{ path: root, prefix: '' }];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const { name: last, stat } of await files.survey(folder.path, signal)) {
      const name = folder.prefix + last;
      const path = join(folder.path, last);
      if (!['file', 'directory', 'symlink'].includes(stat.kind)) throw fail.specialFile({ path });
      found.push({ name, path, stat });
      if (stat.kind === 'directory') open.push({ path, prefix: `${name}/` });
    }
  }
  return found;
}

/** Some hundred at a time, so that a failure, or a signal, comes before the rest. */
async function copyFiles(
  { files, signal }: CopyPlace,
  entries: readonly (Entry & Required<Pick<FileCopy, 'real'>>)[],
): Promise<void> {
  for (let at = 0; at < entries.length; at += BATCH) {
    const batch = entries.slice(at, at + BATCH);
    const outcomes = await files.copyMany(
      batch.map(({ path, target, stat, real }) => ({ from: path, to: target, seen: stat, real })),
      { signal },
    );
    for (const [index, { path, target }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome === 'changed') throw fail.copyFailed({ source: path, target, cause: fail.sourceChanged({ path }) });
      if (outcome !== 'copied') throw fail.copyFailed({ source: path, target, cause: outcome });
    }
  }
}

/** Yields where both really stand. */
async function refuseOverlap(
  { files, cwd }: CopyPlace,
  from: string,
  to: string,
): Promise<{ readonly from: string; readonly to: string }> {
  const source = await realPathOf(files, cwd, from);
  const target = await realPathOf(files, cwd, to);
  if (source === target) throw fail.sameFile({ source: from, target: to });
  if (isWithin(source, target)) throw fail.targetInsideSource({ source: from, target: to });
  return { from: source, to: target };
}

async function copyEntry(place: CopyPlace, { stat, path, target }: Entry): Promise<void> {
  try {
    if (stat.kind === 'directory') await copyFolder(place.files, target);
    else await copyLink(place.files, path, target);
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

async function copyLink(files: Files, path: string, target: string): Promise<void> {
  const text = await files.readLink(path);
  const there = await entryAt(files, target);
  if (there?.kind === 'directory') throw fail.isAFolder({ path: target });
  if (there !== undefined) await files.remove(target);
  await files.link(text, target);
}

async function copyTimes(files: Files, from: string, to: string): Promise<void> {
  const { mode, atime_ms, mtime_ms } = await files.lstat(from);
  await files.setMode(to, mode & 0o7777);
  await files.setTimes(to, atime_ms, mtime_ms);
}
