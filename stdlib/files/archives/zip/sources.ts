import { basename } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files, FileStat } from '#schemas/types/host.ts';
import { realPathOf } from '#stdlib/files/real-path.ts';
import { walk } from '#stdlib/files/walk.ts';

type Source = Parameters<Ports['zip']['write']>[1] extends Iterable<infer Item> ? Item : never;
type Tools = Pick<Base, 'folders' | 'signal'> & { readonly files: Files };

/** What a folder holds, in sorted order: all folders, and files with the content that links lead to. The archive itself stays out. */
export async function sourcesOfFolder({ files, folders, signal }: Tools, folder: string, archive: string): Promise<Source[]> {
  const itself = await realPathOf(files, folders.cwd, archive);
  const sources: Source[] = [];
  for await (const { name, path } of walk(files, folder, { signal })) {
    const found = await files.find(path);
    if (found === undefined) throw fail.fileNotFound({ path });
    if (found.kind === 'file' && (await files.realPath(path)) === itself) continue;
    sources.push(sourceOf(name, path, found));
  }
  return sources;
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
