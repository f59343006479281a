import { join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { command, type Context } from '#stdlib/command.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
import { requireFolder } from '#stdlib/files/kind.ts';

import { askIndex } from './ask-index.ts';
import { byPlace } from './by-place.ts';
import { findElsewhere } from './find-stored.ts';
import { scan, standing, type Search } from './scan.ts';

export const FA_fast_find = command('FA_fast_find', async ({ root, pattern, limit, use_index, files_only }, ctx) => {
  if (!import.meta.withoutStorage && isElsewhere(root)) {
    return await findElsewhere(ctx, root, { pattern, limit: limit ?? Infinity, filesOnly: files_only });
  }
  const folder = resolve(ctx.folders.cwd, atHome(root, ctx));
  await requireFolder(ctx.files, folder);
  const search: Search = { root: folder, pattern, limit: limit ?? Infinity, filesOnly: files_only };
  const indexed = use_index ? await askIndex(ctx, await ctx.files.realPath(folder), pattern) : [];
  const found = await all(standing(ctx, search, indexed.toSorted(byPlace)));
  // An index may not cover this folder at all, so that nothing found says nothing.
  return found.length > 0 ? found : all(scan(ctx, search));
});

function atHome(root: string, { environment }: Context<'FA_fast_find'>): string {
  if (root !== '~' && !/^~[\\/]/.test(root)) return root;
  const home = environment.get('HOME') ?? environment.get('USERPROFILE');
  if (home === undefined) throw fail.folderNotFound({ path: root });
  return join(home, root.slice(1));
}

async function all(paths: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const path of paths) found.push(path);
  return found;
}
