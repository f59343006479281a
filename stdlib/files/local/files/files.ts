import { basename, dirname, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import { command, type Context } from '#stdlib/command.ts';
import { copyTree, targetsOf } from '#stdlib/files/copy-tree.ts';
import { entryAt, foundAt, isSame, requireFile, requireFolder } from '#stdlib/files/kind.ts';
import { encodeText } from '#stdlib/files/text-encoding.ts';

import { collectCopies, type PlannedCopy } from './collect-copies.ts';
import { planRenames, renameAll, type Rename } from './renames.ts';

export const FA_create_file = command('FA_create_file', async ({ file_path, content, encoding }, ctx) => {
  await ctx.files.write(file_path, encodeText(content, encoding), {
    parents: true,
    durable: ctx.durable,
    signal: ctx.signal,
  });
  return null;
});

export const FA_copy_file = command('FA_copy_file', async ({ source, target, copy_metadata, progress_name }, ctx) => {
  const from = await requireFile(ctx.files, source);
  const found = await ctx.files.find(target);
  const path = found?.kind === 'directory' ? join(target, basename(source)) : target;
  const there = path === target ? found : await ctx.files.find(path);
  if (there !== undefined && isSame(from, there)) throw fail.sameFile({ source, target: path });
  await ctx.progress.watch(
    { name: progress_name, total: from.size, signal: ctx.signal },
    async ({ signal, update }) => {
      try {
        await requireFolder(ctx.files, dirname(path));
        await ctx.files.copy(source, path, { metadata: copy_metadata, signal, onBytes: update });
      } catch (cause) {
        signal.throwIfAborted();
        // No name of a file: that tells more than that it could not be written.
        if (isNameTooLong(cause)) throw cause;
        throw fail.copyFailed({ source, target: path, cause });
      }
    },
  );
  return true as const;
});

export const FA_rename_file = command(
  'FA_rename_file',
  async (params, ctx) => {
    const renames = await renamesOf(params, ctx);
    await renameAll(ctx.files, renames, { mark: ctx.random.uuid(), signal: ctx.signal });
    return true as const;
  },
  async (params, ctx) => ({
    rename: (await renamesOf(params, ctx)).map(({ source, target }) => `${source} -> ${target}`),
  }),
);

function isNameTooLong(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENAMETOOLONG';
}

async function renamesOf(
  { origin_file_path: root, target_name: stem, file_extension: extension }: CommandMap['FA_rename_file']['params'],
  { files, signal }: Context<'FA_rename_file'>,
): Promise<readonly Rename[]> {
  await requireFolder(files, root);
  if (/[/\\]/.test(stem)) throw fail.stemWithSeparator({ name: stem });
  return planRenames(files, { root, stem, extension, signal });
}

export const FA_remove_file = command('FA_remove_file', async ({ file_path }, ctx) => {
  const there = await entryAt(ctx.files, file_path);
  if (there?.kind === 'symlink') {
    // A link to a folder stands for a folder, which this command leaves alone.
    if ((await foundAt(ctx.files, file_path))?.kind === 'directory') return false;
  } else if (there?.kind !== 'file') {
    return false;
  }
  await ctx.files.remove(file_path);
  return true;
});

export const FA_copy_all_file_to_dir = command(
  'FA_copy_all_file_to_dir',
  async ({ source_dir, target_dir }, ctx) => {
    await requireFolder(ctx.files, source_dir);
    await requireFolder(ctx.files, target_dir);
    await copyTree({ files: ctx.files, cwd: ctx.folders.cwd, signal: ctx.signal }, source_dir, target_dir);
    return true as const;
  },
  async ({ source_dir, target_dir }, ctx) => {
    await requireFolder(ctx.files, source_dir);
    await requireFolder(ctx.files, target_dir);
    const place = { files: ctx.files, cwd: ctx.folders.cwd, signal: ctx.signal };
    return { copy: await targetsOf(place, source_dir, target_dir) };
  },
);

export const FA_copy_specify_extension_file = command(
  'FA_copy_specify_extension_file',
  async (params, ctx) => {
    const copies = await copiesOf(params, ctx);
    await ctx.files.makeDirectory(params.target_path, { recursive: true });
    for (const { source, target } of copies) {
      try {
        await ctx.files.copy(source, target, { metadata: params.copy_metadata, signal: ctx.signal });
      } catch (cause) {
        ctx.signal.throwIfAborted();
        throw fail.copyFailed({ source, target, cause });
      }
    }
    return copies.length;
  },
  async (params, ctx) => ({ copy: (await copiesOf(params, ctx)).map(({ target }) => target) }),
);

async function copiesOf(
  {
    file_dir_path: root,
    target_extension: extension,
    target_path: target,
  }: CommandMap['FA_copy_specify_extension_file']['params'],
  { files, folders, signal }: Context<'FA_copy_specify_extension_file'>,
): Promise<readonly PlannedCopy[]> {
  await requireFolder(files, root);
  const there = await files.find(target);
  if (there !== undefined && there.kind !== 'directory') throw fail.notAFolder({ path: target });
  return collectCopies({ files, cwd: folders.cwd, signal }, { root, extension, target });
}
