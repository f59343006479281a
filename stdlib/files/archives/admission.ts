import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { keyOf, type Member, type Placed } from './member.ts';
import { placeOf } from './place-of.ts';

/** Below this size no ratio is too good. */
const HARMLESS = 10 * 1024 ** 2;

export interface AdmissionOptions {
  readonly archive: string;
  readonly target: string;
  readonly rules: Ports['archiveRules'];
  /** Bytes that the archive takes on the disk, or those of its members that were chosen. */
  readonly packedSize: number;
}

/**
 * Decides which members of an archive may be unpacked, one by one, before anything of the member is written:
 * names, kinds, two members for one place, and how much it is all together.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #taken = new Map<string, Placed>();
  /** Folders on the way to members, with the first member that needs each. */
  readonly #needed = new Map<string, string>();
  #count = 0;
  #size = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Place of the member in the target. Fails when it may go nowhere. */
  admit(member: Member): Placed {
    const { archive: path, target, rules } = this.#options;
    this.#count += 1;
    if (this.#count > rules.entries) throw fail.archiveTooManyMembers({ path, limit: rules.entries });
    const placed = { member, parts: placeOf(member, target, rules.platform) };
    if (member.kind === 'other') throw fail.archiveMemberKind({ member: member.name, path });
    const { kind, name, target: to = '' } = member;
    // No system takes such a link; where others lead is judged when all are known.
    if (kind === 'symlink' && (to === '' || to.includes('\0')))
      throw fail.archiveLinkOutside({ member: name, path, target: to });
    this.#refuseCollision(placed);
    this.#refuseSize(member.size);
    return placed;
  }

  /** An earlier file, by the name that a hard link gives it. */
  earlierFile({ name, target = '', separators }: Member): Placed {
    const { archive: path, target: base, rules } = this.#options;
    const found = this.#taken.get(keyOf(placeOf({ name: target, separators, kind: 'file' }, base, rules.platform)));
    if (
      found === undefined ||
      found.member.name === name ||
      (found.member.kind !== 'file' && found.member.kind !== 'hard-link')
    )
      throw fail.archiveLinkUnknown({ member: name, path, target });
    return found;
  }

  /** Two members for one place, or a file or a link where another member needs a folder. */
  #refuseCollision(item: Placed): void {
    const { member, parts } = item;
    const key = keyOf(parts);
    const first = this.#taken.get(key);
    const isSameFolder = first?.member.kind === 'folder' && member.kind === 'folder';
    if (first !== undefined && !isSameFolder) throw this.#collision(first.member.name, member.name);
    this.#taken.set(key, item);
    const inside = member.kind === 'folder' ? undefined : this.#needed.get(key);
    if (inside !== undefined) throw this.#collision(member.name, inside);
    for (let depth = parts.length - 1; depth > 0; depth -= 1) {
      const folder = keyOf(parts.slice(0, depth));
      if (this.#needed.has(folder)) break;
      const there = this.#taken.get(folder)?.member;
      if (there !== undefined && there.kind !== 'folder') throw this.#collision(there.name, member.name);
      this.#needed.set(folder, member.name);
    }
  }

  #collision(first: string, second: string): Error {
    return fail.archiveNamesCollide({ path: this.#options.archive, first, second });
  }

  #refuseSize(size: number): void {
    const { archive: path, packedSize, rules } = this.#options;
    this.#size += size;
    if (this.#size > rules.bytes) throw fail.archiveTooLarge({ path, limit: rules.bytes });
    if (this.#size > HARMLESS && this.#size > packedSize * rules.ratio)
      throw fail.archiveRatio({ path, limit: rules.ratio });
  }
}
