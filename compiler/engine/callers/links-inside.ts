import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

import { isBelow } from '#compiler/reader.ts';
import type { Files, MovedEntry } from '#schemas/types/host.ts';

/** Calls that give a link its place, or another one. */
export type LinkCall = 'link' | 'hardLink' | 'rename' | 'moveInto';

export function isLinkCall(name: string): name is LinkCall {
  return name === 'link' || name === 'hardLink' || name === 'rename' || name === 'moveInto';
}

interface Place {
  readonly files: Files;
  /** Folders that no link may lead out of, absolute and without links on their way. */
  readonly folders: readonly string[];
  /** The folder that a path really stands in, joined with its last name. */
  readonly standing: (path: string) => Promise<string>;
}

/**
 * The target of a link that would lead out of the folders behind a call; undefined: none does. A caller who may give
 * such a link another place could put it where a path has just been looked at.
 */
export async function linkOut(place: Place, name: LinkCall, given: readonly unknown[]): Promise<string | undefined> {
  if (name === 'link') {
    const [target, path] = given as readonly [string, string];
    return leadsOut(target, dirname(await place.standing(path)), place) ? target : undefined;
  }
  for (const [from, to] of moves(name, given)) {
    const [before, after] = [await place.standing(from), await place.standing(to)];
    for await (const { path, target } of linksAt(place.files, before)) {
      const moved = dirname(join(after, path.slice(before.length)));
      if (leadsOut(target, dirname(path), place) || leadsOut(target, moved, place)) return target;
    }
  }
  return undefined;
}

function moves(name: Exclude<LinkCall, 'link'>, given: readonly unknown[]): readonly (readonly [string, string])[] {
  if (name !== 'moveInto') return [given as readonly [string, string]];
  const [folder, entries] = given as readonly [string, readonly MovedEntry[]];
  return entries.map((entry) => [entry.from, join(folder, entry.name)]);
}

/** All links at a path and below it, none followed. */
async function* linksAt(files: Files, top: string): AsyncGenerator<{ readonly path: string; readonly target: string }> {
  const stat = await files.lstat(top).catch(() => undefined);
  if (stat?.kind === 'symlink') yield { path: top, target: await files.readLink(top) };
  if (stat?.kind !== 'directory') return;
  const open = [top];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const entry of await files.survey(folder)) {
      const path = join(folder, entry.name);
      if (entry.stat.kind === 'directory') open.push(path);
      if (entry.stat.kind === 'symlink') yield { path, target: await files.readLink(path) };
    }
}

/**
 * Whether a link in a folder leads out by its text. A way back behind a name counts as one: that name may become a link
 * to somewhere less deep.
 */
function leadsOut(target: string, folder: string, { folders }: Place): boolean {
  const steps = target.split(/[\\/]/).filter((step) => step !== '' && step !== '.');
  const firstName = steps.findIndex((step) => step !== '..');
  if (firstName >= 0 && steps.lastIndexOf('..') > firstName) return true;
  if (isAbsolute(target) && firstName > 0) return true;
  const end = resolve(folder, target);
  return !folders.some((each) => isBelow(end, each));
}

/** A path whose folder is the real one: its last name may be that of a link. */
export async function standingAt(path: string, real: (path: string) => Promise<string>): Promise<string> {
  return join(await real(dirname(path)), basename(path));
}
