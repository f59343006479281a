import { dirname, isAbsolute, relative, resolve } from 'node:path';

import type { PortContext } from '#runtime/kernel/ports.ts';
import type { Files } from '#schemas/types/host.ts';

/** Whether nothing, or an empty folder, stands at a path below the project root, links followed. */
export async function isNewFolder(
  { host, folders }: Pick<PortContext, 'host' | 'folders'>,
  path: string,
): Promise<boolean> {
  const place = resolve(folders.cwd, path);
  const root = await host.files.realPath(folders.root);
  const way = relative(root, await realPlace(host.files, place));
  if (way === '' || way.startsWith('..') || isAbsolute(way)) return false;
  const found = await host.files.find(place);
  return found === undefined || (found.kind === 'directory' && (await host.files.list(place)).length === 0);
}

/** Real path of a path that may not exist yet: its nearest folder that exists decides. */
async function realPlace(files: Files, path: string): Promise<string> {
  if ((await files.find(path)) !== undefined || dirname(path) === path) return files.realPath(path);
  return resolve(await realPlace(files, dirname(path)), relative(dirname(path), path));
}
