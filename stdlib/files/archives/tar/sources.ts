import { basename, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { FileStat } from '#schemas/types/host.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
import { isSame } from '#stdlib/files/kind.ts';
import { walkAll } from '#stdlib/files/walk.ts';

type TarWrite = Parameters<Ports['tar']['write']>[0];
export type Source = TarWrite extends Iterable<infer One> | AsyncIterable<infer One> ? One : never;
type Tools = Pick<Base, 'signal' | 'folders'> & Pick<Ports, 'files'>;

const CHUNK = 1024 * 1024;

interface Seen {
  readonly name: string;
  readonly path: string;
  readonly stat: FileStat;
}

/**
 * A file or a folder with all that is in it, sorted, under its base name. Links stay links, and a file with several
 * names is stored once. The archive that is being replaced stays out.
 */
export async function sourcesOf(tools: Tools, source: string, archive: string): Promise<Source[]> {
  const { files, folders, signal } = tools;
  const top = basename(resolve(folders.cwd, source)) || '.';
  // The place that is given is followed: an archive of nothing but a link would help nobody.
  const stat = await files.stat(source);
  const below = stat.kind === 'directory' ? await walkAll(files, source, { signal }) : [];
  const seen: Seen[] = [{ name: top, path: source, stat }];
  const rest: Seen[] = [];
  await inParallel(below, async ({ name, path }, index) => {
    rest[index] = { name: `${top}/${name}`, path, stat: await files.lstat(path) };
  });
  const itself = await files.find(archive);
  return described(
    tools,
    [...seen, ...rest].filter((item) => itself === undefined || !isSame(itself, item.stat)),
  );
}

async function described(tools: Tools, seen: readonly Seen[]): Promise<Source[]> {
  const firstNames = new Map<string, string>();
  const sources: Source[] = [];
  for (const { name, path, stat } of seen) {
    const facts = { name, mode: stat.mode & 0o7777, modifiedMs: stat.mtime_ms, size: 0 };
    const inode = stat.nlink > 1 && stat.kind === 'file' ? `${stat.dev}:${stat.ino}` : '';
    const target = firstNames.get(inode);
    if (inode !== '' && target === undefined) firstNames.set(inode, name);
    if (stat.kind === 'directory') sources.push({ ...facts, kind: 'folder' });
    else if (stat.kind === 'symlink')
      sources.push({ ...facts, kind: 'symlink', target: await tools.files.readLink(path) });
    else if (stat.kind !== 'file') throw fail.specialFile({ path });
    else if (target !== undefined) sources.push({ ...facts, kind: 'hard-link', target });
    else
      sources.push({
        ...facts,
        kind: 'file',
        path,
        size: stat.size,
        content: () => tools.files.stream(path, { chunk: CHUNK, reuse: true, signal: tools.signal }),
      });
  }
  return sources;
}
