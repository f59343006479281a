import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

type Zip = Ports['zip'];
export type Archive = Awaited<ReturnType<Zip['open']>>;
export type Member = Archive['members'][number];

/** Opens an archive for the time of `work`. */
export async function withArchive<Result>(
  { zip, archiveRules }: Pick<Ports, 'zip' | 'archiveRules'>,
  path: string,
  work: (archive: Archive) => Result | Promise<Result>,
): Promise<Result> {
  const archive = await zip.open(path, archiveRules);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}

/** The member of exactly that name; of several the last, which is the one that other programs show. */
export function memberNamed(members: readonly Member[], name: string, path: string): Member {
  const found = members.findLast((member) => member.name === name);
  if (found === undefined) throw fail.zipMemberNotFound({ path, member: name });
  return found;
}
