import { resolve } from 'node:path';

import { textSnapshotDiffers, textSnapshotMissing } from '#schemas/generated/failures.ts';
import { counted } from '#grammar/source/counted.ts';
import { command } from '#stdlib/command.ts';

import { claim, placeOf, readText, writeText } from './place.ts';

/** Lines around a difference, and lines of all differences, that a failure shows. */
const context = 2;
const shownLines = 40;

export const WR_match_snapshot = command('WR_match_snapshot', async ({ name, value: given, snapshot_dir }, ctx) => {
  // Half a character cannot be stored.
  const value = given.toWellFormed();
  const place = placeOf(snapshot_dir, name);
  await claim(ctx, place);
  const stored = await readText(ctx, place.path);
  if (stored === value) return 'matched';
  const store = async (how: 'created' | 'updated'): Promise<typeof how> => {
    await writeText(ctx, place, value);
    ctx.snapshots.stored(place.path, how);
    return how;
  };
  if (ctx.snapshots.updating) return store(stored === undefined ? 'created' : 'updated');
  if (stored === undefined) {
    // Written on a build server it would prove nothing.
    if (!['', '0', 'false'].includes(ctx.environment.get('CI') ?? '')) throw textSnapshotMissing({ path: place.path });
    return store('created');
  }
  const hunks = ctx.textDiff.hunks(stored, value, context);
  const lines = hunks.flatMap(({ leftStart, leftCount, rightStart, rightCount, lines: own }) => [
    `@@ -${leftStart},${leftCount} +${rightStart},${rightCount} @@`,
    ...own,
  ]);
  const shown = [`--- ${place.file}.snap`, `+++ ${place.file}.candidate`, ...lines.slice(0, shownLines)];
  if (lines.length > shownLines) shown.push(`… ${counted(lines.length - shownLines, 'more line')}`);
  ctx.attach({ kind: 'text', name: 'difference', text: [...shown.slice(0, 2), ...lines].join('\n') });
  throw textSnapshotDiffers({ path: place.path, difference: shown.join('\n') });
});

export const WR_update_snapshot = command('WR_update_snapshot', async ({ name, value, snapshot_dir }, ctx) => {
  const place = placeOf(snapshot_dir, name);
  await claim(ctx, place);
  await writeText(ctx, place, value);
  return place.path;
});

export const WR_delete_snapshot = command('WR_delete_snapshot', async ({ name, snapshot_dir }, ctx) => {
  const place = placeOf(snapshot_dir, name);
  if (!(await ctx.files.find(place.path))) return false;
  await claim(ctx, place);
  await ctx.files.remove(place.path);
  ctx.snapshots.removed(resolve(ctx.folders.cwd, place.path));
  if (await ctx.files.find(place.namePath)) await ctx.files.remove(place.namePath);
  return true;
});
