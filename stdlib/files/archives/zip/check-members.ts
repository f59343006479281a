import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Member } from './with-archive.ts';

export interface Chosen {
  readonly archive: string;
  readonly members: readonly Member[];
}

/** A member and its place below the target folder. */
export interface Placed {
  readonly member: Member;
  readonly parts: readonly string[];
}

/** Below this size no ratio is too good. */
const HARMLESS = 10 * 1024 ** 2;

/** Where each member goes. Fails for names, kinds and sizes that must not be unpacked, before anything is written. */
export function checkMembers({ archive, members }: Chosen, limits: Ports['zip']['limits']): readonly Placed[] {
  const placed = members.map((member) => ({ member, parts: member.place() }));
  for (const { kind, name } of members) {
    if (kind === 'link' || kind === 'other') throw fail.zipMemberKind({ member: name, path: archive });
  }
  refuseCollisions(archive, placed);
  const size = members.reduce((sum, member) => sum + member.size, 0);
  const packed = members.reduce((sum, member) => sum + member.packedSize, 0);
  if (size > limits.bytes) throw fail.zipTooLarge({ path: archive, limit: limits.bytes });
  if (size > HARMLESS && size > packed * limits.ratio) throw fail.zipRatio({ path: archive, limit: limits.ratio });
  return placed;
}

/** Two members for one place, also on systems that fold letter case or accents; or a file where another needs a folder. */
function refuseCollisions(archive: string, placed: readonly Placed[]): void {
  const taken = new Map<string, Placed>();
  const folders = new Map<string, Placed>();
  for (const item of placed) {
    const key = keyOf(item.parts);
    const first = taken.get(key);
    const isSameFolder = first?.member.kind === 'folder' && item.member.kind === 'folder';
    if (first !== undefined && !isSameFolder) throw fail.zipNamesCollide({ path: archive, first: first.member.name, second: item.member.name });
    taken.set(key, item);
    for (let depth = 1; depth < item.parts.length; depth += 1) folders.set(keyOf(item.parts.slice(0, depth)), item);
  }
  for (const [key, item] of taken) {
    const inside = item.member.kind === 'file' ? folders.get(key) : undefined;
    if (inside !== undefined) throw fail.zipNamesCollide({ path: archive, first: item.member.name, second: inside.member.name });
  }
}

function keyOf(parts: readonly string[]): string {
  return parts.join('/').normalize().toLowerCase();
}
