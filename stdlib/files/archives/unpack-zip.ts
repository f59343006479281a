import type { Base, Ports } from '#runtime/kernel/ports.ts';

import type { Member, Placed } from './member.ts';
import { placesOf, unpackKnown } from './unpack.ts';
import type { Member as ZipMember } from './with-zip.ts';

export interface ZipRequest {
  readonly archive: string;
  readonly members: readonly ZipMember[];
  readonly target: string;
  readonly password: string | undefined;
}

/** Unpacks members of an archive below a folder, in archive order; passwords are tried before anything is written. */
export async function unpackZip(
  tools: Base & Pick<Ports, 'files' | 'archiveRules'>,
  { archive, members, target, password }: ZipRequest,
): Promise<readonly Placed[]> {
  const packedSize = members.reduce((sum, member) => sum + member.packedSize, 0);
  const ready = async (): Promise<void> => {
    for (const member of members) await member.unlock(password);
  };
  return unpackKnown(
    tools,
    { archive, target, packedSize },
    { members: members.map((member) => known(member, password, tools.signal)), ready },
  );
}

/** Paths that members would get; nothing is written. */
export function zipPlaces(
  tools: Base & Pick<Ports, 'files' | 'archiveRules'>,
  { archive, members, target }: Omit<ZipRequest, 'password'>,
): Promise<{ readonly write: readonly string[] }> {
  const packedSize = members.reduce((sum, member) => sum + member.packedSize, 0);
  return placesOf(
    tools,
    { archive, target, packedSize },
    members.map((member) => known(member, undefined, tools.signal)),
  );
}

function known(member: ZipMember, password: string | undefined, signal: AbortSignal): Member {
  const { name, size, mode, modifiedMs, separators, kind } = member;
  return {
    name,
    size,
    mode,
    modifiedMs,
    separators,
    kind: kind === 'link' ? 'other' : kind,
    content: () => member.content({ password, signal }),
  };
}
