import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';
import { requireFolder } from '#stdlib/files/kind.ts';

import { applyHunks } from './apply-hunks.ts';
import { applyTreeDiff, checkedChanges } from './apply-tree-diff.ts';
import { compareTrees } from './compare-trees.ts';
import { readPatch } from './read-patch.ts';
import { readText } from './read-text.ts';
import { unified } from './unified.ts';

const command = commandRaising('DiffException');

export const FA_diff_files = command('FA_diff_files', async ({ left, right, context }, ctx) => {
  const before = await readText(ctx.files, left);
  const after = await readText(ctx.files, right);
  return unified(ctx.textDiff.hunks(before, after, context), left, right);
});

export const FA_diff_dirs = command('FA_diff_dirs', async ({ left, right }, ctx) => {
  await requireFolder(ctx.files, left);
  await requireFolder(ctx.files, right);
  return compareTrees(ctx, left, right);
});

export const FA_apply_dir_diff = command(
  'FA_apply_dir_diff',
  async ({ diff, target, source }, ctx) => {
    await requireFolder(ctx.files, target);
    await requireFolder(ctx.files, source);
    await applyTreeDiff(ctx, diff, { target, source });
    return null;
  },
  async ({ diff, target, source }, ctx) => {
    await requireFolder(ctx.files, target);
    await requireFolder(ctx.files, source);
    const { removed, put } = await checkedChanges(ctx.files, diff, { target, source });
    return { delete: removed, write: put };
  },
);

export const FA_apply_patch = command('FA_apply_patch', async ({ target, patch }, ctx) => {
  const hunks = readPatch(patch);
  const before = await readText(ctx.files, target);
  const done = applyHunks(before, hunks);
  if ('failed' in done) throw fail.patchDoesNotApply({ path: target, hunk: done.failed, line: done.line });
  if (done.text !== before) await ctx.files.write(target, done.text, { durable: ctx.durable, signal: ctx.signal });
  return true as const;
});
