import { join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { command, type Context } from '#stdlib/command.ts';
import { copyTree, targetsOf } from '#stdlib/files/copy-tree.ts';
import { hasExtension } from '#stdlib/files/extension.ts';
import { matchesGlob } from '#stdlib/files/glob.ts';
import { entryAt, foundAt, requireFolder } from '#stdlib/files/kind.ts';
import { byName, walk } from '#stdlib/files/walk.ts';

import { moveFolder } from './move-folder.ts';
import { refuseProtected } from './protected.ts';

export const FA_create_dir = command('FA_create_dir', async ({ dir_path }, ctx) => {
  const there = await ctx.files.find(dir_path);
  if (there !== undefined && there.kind !== 'directory') throw fail.notAFolder({ path: dir_path });
  await ctx.files.makeDirectory(dir_path, { recursive: true });
  return true as const;
});

export const FA_copy_dir = command(
  'FA_copy_dir',
  async ({ dir_path, target_dir_path }, ctx) => {
    await requireEnds(dir_path, target_dir_path, ctx);
    await copyTree({ files: ctx.files, cwd: ctx.folders.cwd, signal: ctx.signal }, dir_path, target_dir_path);
    return true as const;
  },
  async ({ dir_path, target_dir_path }, ctx) => {
    await requireEnds(dir_path, target_dir_path, ctx);
    const place = { files: ctx.files, cwd: ctx.folders.cwd, signal: ctx.signal };
    return { copy: await targetsOf(place, dir_path, target_dir_path) };
  },
);

/** Fails unless the one is a folder, and the other is one or missing. */
async function requireEnds(from: string, to: string, { files }: Context<'FA_copy_dir'>): Promise<void> {
  await requireFolder(files, from);
  const there = await files.find(to);
  if (there !== undefined && there.kind !== 'directory') throw fail.notAFolder({ path: to });
}

export const FA_remove_dir_tree = command(
  'FA_remove_dir_tree',
  async ({ dir_path }, ctx) => {
    if (!(await isRemovable(dir_path, ctx))) return false;
    try {
      await ctx.files.removeTree(dir_path);
    } catch (cause) {
      throw fail.removeFailed({ path: dir_path, cause });
    }
    return true;
  },
  async ({ dir_path }, ctx) => {
    const names: string[] = [];
    if (!(await isRemovable(dir_path, ctx))) return { delete: names };
    names.push(dir_path);
    for await (const { path } of walk(ctx.files, dir_path, { signal: ctx.signal })) names.push(path);
    return { delete: names };
  },
);

/** Whether there is a folder to remove. Fails for those that are never removed. */
async function isRemovable(path: string, ctx: Context<'FA_remove_dir_tree'>): Promise<boolean> {
  const there = await entryAt(ctx.files, path);
  if (there?.kind !== 'directory') return false;
  const { cwd, root, home } = ctx.folders;
  // Callers of servers do not see the environment, and a run may have a home of its own there.
  const homes = [home, ctx.environment.get('HOME'), ctx.environment.get('USERPROFILE')].flatMap((one) =>
    one ? [one] : [],
  );
  await refuseProtected(ctx.files, path, [cwd, root, ...homes]);
  return true;
}

export const FA_rename_dir = command('FA_rename_dir', async ({ origin_dir_path, target_dir }, ctx) => {
  await requireFolder(ctx.files, origin_dir_path);
  const place = { files: ctx.files, cwd: ctx.folders.cwd, signal: ctx.signal };
  await moveFolder(place, { from: origin_dir_path, to: target_dir });
  return true as const;
});

export const FA_list_dir = command('FA_list_dir', async ({ dir_path, pattern, include_hidden }, ctx) => {
  await requireFolder(ctx.files, dir_path);
  const entries = (await ctx.files.list(dir_path)).filter(
    ({ name }) => (include_hidden || !name.startsWith('.')) && matchesGlob(name, pattern),
  );
  const described = [];
  for (const { name } of [...entries].sort(byName)) {
    ctx.signal.throwIfAborted();
    const path = join(dir_path, name);
    const stat = await entryAt(ctx.files, path);
    // An entry that was removed since the folder was read is not there any more.
    if (stat === undefined) continue;
    const { kind, size, mtime_ms } = stat;
    described.push({
      name,
      path,
      type: typeOf(kind),
      size: kind === 'file' ? size : null,
      modified_at: new Date(mtime_ms).toISOString(),
    });
  }
  return described;
});

export const FA_discover_files = command(
  'FA_discover_files',
  async ({ dir_path, default_search_file_extension }, ctx) => {
    const root = resolve(ctx.folders.cwd, dir_path ?? '.');
    await requireFolder(ctx.files, root);
    const paths: string[] = [];
    for await (const { name, path, kind } of walk(ctx.files, root, { signal: ctx.signal })) {
      if (!hasExtension(name, default_search_file_extension)) continue;
      if (kind === 'file' || (kind === 'symlink' && (await foundAt(ctx.files, path))?.kind === 'file'))
        paths.push(path);
    }
    return paths.sort();
  },
);

function typeOf(kind: string): 'file' | 'dir' | 'symlink' | 'other' {
  if (kind === 'directory') return 'dir';
  return kind === 'file' || kind === 'symlink' ? kind : 'other';
}
