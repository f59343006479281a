import { basename } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files, FileStat } from '#schemas/types/host.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
import { isSame, requireFile } from '#stdlib/files/kind.ts';
import { walkAll } from '#stdlib/files/walk.ts';

type Source = Parameters<Ports['zip']['write']>[1][number];
type Tools = Pick<Base, 'signal'> & { readonly files: Files };

/**
 * Content of a folder, in sorted order: all folders, and files with the content that links lead to. The archive
 * itself stays out.
 */
export async function sourcesOfFolder({ files, signal }: Tools, folder: string, archive: string): Promise<Source[]> {
  const itself = await files.find(archive);
  const found = await walkAll(files, folder, { signal });
  const sources: (Source | undefined)[] = found.map(() => undefined);
  await inParallel(found, async ({ name, path }, index) => {
    const stat = (await files.find(path)) ?? (await requireFile(files, path));
    if (itself === undefined || !isSame(itself, stat)) sources[index] = sourceOf(name, path, stat);
  });
  return sources.filter((source) => source !== undefined);
}

/** Files under their base names; fails when two have the same. */
export async function sourcesOfFiles(files: Files, paths: readonly string[]): Promise<Source[]> {
  const taken = new Map<string, string>();
  const sources: Source[] = [];
  for (const path of paths) {
    const name = basename(path);
    const first = taken.get(name);
    if (first !== undefined) throw fail.namesCollide({ first, second: path, name });
    taken.set(name, path);
    sources.push(sourceOf(name, path, await files.stat(path)));
  }
  return sources;
}

function sourceOf(name: string, path: string, { kind, size, mode, mtime_ms }: FileStat): Source {
  if (!name.isWellFormed()) throw fail.zipNameNotText({ path });
  const facts = { name, mode, modifiedMs: mtime_ms };
  if (kind === 'directory') return { ...facts, size: 0 };
  if (kind !== 'file') throw fail.specialFile({ path });
  return { ...facts, path, size };
}
