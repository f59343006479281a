import { sep } from 'node:path';

import type { Base } from '#runtime/kernel/ports.ts';
import type { Files, SurveyedEntry } from '#schemas/types/host.ts';
import { isOutOfReach } from '#stdlib/files/walk.ts';

import type { Group } from './by-digest.ts';

interface Tools extends Pick<Base, 'signal'> {
  readonly files: Files;
}

/**
 * Files below a folder, by its absolute path, that share their size with another one. The first in order of
 * several names of one file stands for it. Links are not followed; folders below the root that may not be read,
 * or that vanish, count as empty.
 */
export async function candidates(tools: Tools, root: string, minSize: number): Promise<readonly Group[]> {
  const found = new BySize(minSize);
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const start = folder.endsWith(sep) ? folder : folder + sep;
    for (const { name, stat } of await entriesOf(tools, folder, folder === root)) {
      if (stat.kind === 'file') found.add(start + name, stat);
      else if (stat.kind === 'directory') open.push(start + name);
    }
  }
  return found.groups();
}

class BySize {
  readonly #minSize: number;
  readonly #paths = new Map<number, string[]>();
  /** Index, among files of its size, of a file that has several names, by its identity. */
  readonly #several = new Map<string, number>();

  constructor(minSize: number) {
    this.#minSize = minSize;
  }

  add(path: string, stat: SurveyedEntry['stat']): void {
    if (stat.size < this.#minSize) return;
    const same = this.#paths.get(stat.size);
    if (same === undefined) {
      this.#paths.set(stat.size, [path]);
      if (stat.nlink > 1) this.#placeOf(stat, 0);
      return;
    }
    const place = stat.nlink > 1 ? this.#placeOf(stat, same.length) : same.length;
    const there = same[place];
    same[place] = there !== undefined && there < path ? there : path;
  }

  groups(): readonly Group[] {
    return [...this.#paths].flatMap(([size, paths]) => (paths.length > 1 ? [{ size, paths: paths.sort() }] : []));
  }

  #placeOf({ dev, ino }: SurveyedEntry['stat'], next: number): number {
    const identity = `${dev}:${ino}`;
    const place = this.#several.get(identity) ?? next;
    this.#several.set(identity, place);
    return place;
  }
}

async function entriesOf({ files, signal }: Tools, folder: string, isRoot: boolean): Promise<readonly SurveyedEntry[]> {
  try {
    return await files.survey(folder, signal);
  } catch (error) {
    if (isRoot || !isOutOfReach(error)) throw error;
    return [];
  }
}
