import { join } from 'node:path';

import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import { keyOf, type Placed } from './member.ts';

/** Number of links that are followed, as systems do, all that lie on one way together. */
const LINKS = 40;

export interface LinkPlace extends Pick<Base, 'signal'> {
  readonly files: Files;
  readonly archive: string;
  readonly target: string;
}

/** Fails when a symbolic link among the members leads out of the target folder, by itself or through others. */
export async function refuseLinksOut(place: LinkPlace, links: readonly Placed[]): Promise<void> {
  const ways = new Ways(place, links);
  for (const { member, parts } of links) {
    if ((await ways.endOf(parts, 1)) === undefined)
      throw fail.archiveLinkOutside({ member: member.name, path: place.archive, target: member.target ?? '' });
  }
}

/** Target of a link below the target folder, and the number of links that are followed to get there. */
interface End {
  readonly parts: readonly string[];
  readonly followed: number;
}

/**
 * The ways of links through each other. Each link is followed once, and each place looked at once: archives are made in
 * which they name each other again and again.
 */
class Ways {
  readonly #place: LinkPlace;
  readonly #own: ReadonlyMap<string, string>;
  /** Undefined for one that leads out, nowhere, or, while it is being followed, to itself. */
  readonly #ends = new Map<string, End | undefined>();
  /**
   * Whether places of the target folder are free of links that are none of the archive's: where those lead is not
   * judged.
   */
  readonly #plain = new Map<string, boolean>();

  constructor(place: LinkPlace, links: readonly Placed[]) {
    this.#place = place;
    this.#own = new Map(links.map(({ member, parts }) => [keyOf(parts), member.target ?? '']));
  }

  async endOf(parts: readonly string[], depth: number): Promise<End | undefined> {
    const key = keyOf(parts);
    if (this.#ends.has(key) || depth > LINKS) return this.#ends.get(key);
    this.#ends.set(key, undefined);
    const end = await this.#follow(parts.slice(0, -1), this.#own.get(key) ?? '', depth);
    this.#ends.set(key, end);
    return end;
  }

  async #follow(from: readonly string[], to: string, depth: number): Promise<End | undefined> {
    this.#place.signal.throwIfAborted();
    if (to === '' || /^[/\\]|^[A-Za-z]:/.test(to)) return undefined;
    let here = [...from];
    let followed = 1;
    for (const step of to.split(/[/\\]/)) {
      if (step === '' || step === '.') continue;
      if (step === '..' && here.pop() === undefined) return undefined;
      if (step === '..') continue;
      here.push(step);
      if (!this.#own.has(keyOf(here))) {
        if (!(await this.#isPlain(here))) return undefined;
        continue;
      }
      const end = await this.endOf(here, depth + 1);
      followed += end?.followed ?? LINKS;
      if (end === undefined || followed > LINKS) return undefined;
      here = [...end.parts];
    }
    return { parts: here, followed };
  }

  async #isPlain(parts: readonly string[]): Promise<boolean> {
    const path = join(this.#place.target, ...parts);
    const known = this.#plain.get(path);
    if (known !== undefined) return known;
    const isPlain = (await entryAt(this.#place.files, path))?.kind !== 'symlink';
    this.#plain.set(path, isPlain);
    return isPlain;
  }
}
