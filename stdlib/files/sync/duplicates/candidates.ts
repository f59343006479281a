import { join } from 'node:path';

import type { Base } from '#runtime/kernel/ports.ts';
import type { Files, SurveyedEntry } from '#schemas/types/host.ts';
import { isOutOfReach } from '#stdlib/files/walk.ts';

import type { Group } from './by-digest.ts';

interface Tools extends Pick<Base, 'signal'> {
  readonly files: Files;
}

/** Files that share their size with another one. Of several names of one file the first in order stands for it. */
export async function candidates(tools: Tools, root: string, minSize: number): Promise<readonly Group[]> {
  const bySize = new Map<number, string[]>();
  /** Where a file that has several names stands among those of its size. */
  const several = new Map<string, number>();
  for await (const { path, stat } of filesBelow(tools, root)) {
    if (stat.size < minSize) continue;
    const same = bySize.get(stat.size) ?? [];
    if (same.length === 0) bySize.set(stat.size, same);
    const place = stat.nlink > 1 ? placeOf(several, stat, same.length) : same.length;
    const there = same[place];
    same[place] = there !== undefined && there < path ? there : path;
  }
  return [...bySize].flatMap(([size, paths]) => (paths.length > 1 ? [{ size, paths: paths.sort() }] : []));
}

function placeOf(several: Map<string, number>, { dev, ino }: FileBelow['stat'], next: number): number {
  const identity = `${dev}:${ino}`;
  const place = several.get(identity) ?? next;
  several.set(identity, place);
  return place;
}

interface FileBelow {
  readonly path: string;
  readonly stat: SurveyedEntry['stat'];
}

/** Regular files, folder by folder. Links are not followed; folders below the root that may not be read, or that vanish, count as empty. */
async function* filesBelow({ files, signal }: Tools, root: string): AsyncGenerator<FileBelow, void> {
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const start = join(folder, 'x').slice(0, -1);
    for (const { name, stat } of await entriesOf(files, folder, folder === root, signal)) {
      if (stat.kind === 'directory') open.push(start + name);
      else if (stat.kind === 'file') yield { path: start + name, stat };
    }
  }
}

async function entriesOf(files: Files, folder: string, isRoot: boolean, signal: AbortSignal): Promise<readonly SurveyedEntry[]> {
  try {
    return await files.survey(folder, signal);
  } catch (error) {
    if (isRoot || !isOutOfReach(error)) throw error;
    return [];
  }
}
