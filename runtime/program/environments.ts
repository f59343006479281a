import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

/** Fails where no folder has a file for an environment. `meant` says which of those that are there may be meant. */
export async function requireEnvironment(
  name: string,
  folders: Iterable<string>,
  files: Pick<Host['files'], 'find' | 'list'>,
  meant: (name: string, there: readonly string[]) => { readonly help?: string } = () => ({}),
): Promise<void> {
  const unique = [...new Set(folders)];
  for (const folder of unique) if ((await files.find(`${folder}/.env.${name}`))?.kind === 'file') return;
  const listed = await Promise.all(unique.map((folder) => files.list(folder).catch(() => [])));
  const names = listed.flat().flatMap((entry) => /^\.env\.(.+)/.exec(entry.name)?.[1] ?? []);
  const there = [...new Set(names)].sort();
  throw fail.environmentMissing({
    name,
    there: there.map((each) => `"${each}"`).join(', ') || 'none',
    ...meant(name, there),
  });
}
