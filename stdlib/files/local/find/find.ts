import { basename, join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { command, type Context } from '#stdlib/command.ts';
import { entryAt, requireFolder } from '#stdlib/files/kind.ts';
import { walk } from '#stdlib/files/walk.ts';

import { matchesGlob } from '../glob.ts';

import { askIndex } from './ask-index.ts';
import { byPlace } from './by-place.ts';

interface Search {
  /** Absolute. */
  readonly root: string;
  readonly pattern: string;
  readonly limit: number;
  readonly filesOnly: boolean;
}

type Place = Context<'FA_fast_find'>;

export const FA_fast_find = command('FA_fast_find', async ({ root, pattern, limit, use_index, files_only }, ctx) => {
  const folder = resolve(ctx.folders.cwd, atHome(root, ctx));
  await requireFolder(ctx.files, folder);
  const search: Search = { root: folder, pattern, limit: limit ?? Infinity, filesOnly: files_only };
  const indexed = use_index ? await askIndex(ctx, await ctx.files.realPath(folder), pattern) : [];
  const found = await indexedFiles(ctx, search, indexed);
  // An index may not cover this folder at all, so that nothing found says nothing.
  return found.length > 0 ? found : scanned(ctx, search);
});

function atHome(root: string, { environment }: Place): string {
  if (root !== '~' && !/^~[\\/]/.test(root)) return root;
  const home = environment.get('HOME') ?? environment.get('USERPROFILE');
  if (home === undefined) throw fail.folderNotFound({ path: root });
  return join(home, root.slice(1));
}

/** What of an index's answer, given by the way from the root, still stands there and is asked for. */
async function indexedFiles(ctx: Place, search: Search, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names.toSorted(byPlace)) {
    if (!isNamed(name, search)) continue;
    const path = join(search.root, name);
    const there = await entryAt(ctx.files, path);
    if (there !== undefined && (await isWanted(ctx, path, there.kind, search))) found.push(path);
    if (found.length >= search.limit) break;
  }
  return found;
}

async function scanned(ctx: Place, search: Search): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, path, kind } of walk(ctx.files, search.root, { signal: ctx.signal, skipsUnreadable: true })) {
    if (isNamed(name, search) && (await isWanted(ctx, path, kind, search))) found.push(path);
    if (found.length >= search.limit) break;
  }
  return found;
}

function isNamed(name: string, { pattern }: Search): boolean {
  return matchesGlob(basename(name).toLowerCase(), pattern.toLowerCase());
}

/** Links count as what they lead to; one that leads nowhere counts as a file. */
async function isWanted({ files }: Place, path: string, kind: string, { filesOnly }: Search): Promise<boolean> {
  if (!filesOnly) return true;
  if (kind !== 'symlink') return kind !== 'directory';
  try {
    return (await files.find(path))?.kind !== 'directory';
  } catch {
    // A circle of links, or a place that may not be looked at.
    return true;
  }
}
