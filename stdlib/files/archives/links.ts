import { join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import { keyOf, type Placed } from './member.ts';

/** As many as systems follow. */
const LINKS = 40;

export interface LinkPlace {
  readonly files: Files;
  readonly archive: string;
  readonly target: string;
}

/** Fails when a symbolic link among the members leads out of the target folder, by itself or through others. */
export async function refuseLinksOut({ files, archive, target }: LinkPlace, links: readonly Placed[]): Promise<void> {
  const own = new Map(links.map(({ member, parts }) => [keyOf(parts), member.target ?? '']));
  // All links on a way count together: each may name others twice.
  const leads = async (from: readonly string[], to: string, followed: { count: number }): Promise<string[] | undefined> => {
    followed.count += 1;
    if (followed.count > LINKS || to === '' || /^[/\\]|^[A-Za-z]:/.test(to)) return undefined;
    let here = [...from];
    for (const step of to.split(/[/\\]/)) {
      if (step === '' || step === '.') continue;
      if (step === '..' && here.pop() === undefined) return undefined;
      if (step === '..') continue;
      here.push(step);
      const next = own.get(keyOf(here));
      const end = next === undefined ? await plain(here) : await leads(here.slice(0, -1), next, followed);
      if (end === undefined) return undefined;
      here = end;
    }
    return here;
  };
  /** A link that was in the target folder before is none of the archive's: where it leads is not judged, it is refused. */
  const plain = async (parts: string[]): Promise<string[] | undefined> => ((await entryAt(files, join(target, ...parts)))?.kind === 'symlink' ? undefined : parts);
  for (const { member, parts } of links) {
    const end = await leads(parts.slice(0, -1), member.target ?? '', { count: 0 });
    if (end === undefined) throw fail.archiveLinkOutside({ member: member.name, path: archive, target: member.target ?? '' });
  }
}
