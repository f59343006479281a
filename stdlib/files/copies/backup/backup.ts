import { join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Files } from '#schemas/types/host.ts';
import { asFailure } from '#runtime/kernel/as-failure.ts';
import { command, type Context } from '#stdlib/command.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
import { matchesGlob } from '#stdlib/files/glob.ts';
import { hasCode } from '#stdlib/files/has-code.ts';

import { keptOf, type Backup, type Counts } from './retention.ts';
import { backupsElsewhere, removeElsewhere } from './stored-backups.ts';

export const FA_rotate_backups = command(
  'FA_rotate_backups',
  async (params, ctx) => {
    const { dry_run } = params;
    const { files, signal } = ctx;
    if (!import.meta.withoutStorage && isElsewhere(params.directory)) return await rotateElsewhere(params, ctx);
    const { backups, kept, due } = await rotation(params, ctx);
    const { deleted, errors } = dry_run ? { deleted: pathsOf(due), errors: [] } : await remove(files, due, signal);
    return { kept: pathsOf(backups.filter((backup) => kept.has(backup))), deleted, errors, dry_run };
  },
  async (params, ctx) => {
    if (import.meta.withoutStorage || !isElsewhere(params.directory))
      return { delete: pathsOf((await rotation(params, ctx)).due) };
    return { delete: (await rotateElsewhere({ ...params, dry_run: true }, ctx)).deleted };
  },
);

type Rotation = CommandMap['FA_rotate_backups']['params'];

async function rotateElsewhere(
  params: Rotation,
  ctx: Context<'FA_rotate_backups'>,
): Promise<CommandMap['FA_rotate_backups']['result']> {
  const counts = countsOf(params);
  const [place, backups] = await backupsElsewhere(ctx, params.directory, params.pattern);
  const kept = keptOf(backups, counts);
  const due = backups.filter((backup) => !kept.has(backup));
  const done = params.dry_run ? { deleted: pathsOf(due), errors: [] } : await removeElsewhere(place, due, ctx.signal);
  return { kept: pathsOf(backups.filter((backup) => kept.has(backup))), ...done, dry_run: params.dry_run };
}

function countsOf({ keep_daily, keep_weekly, keep_monthly, keep_yearly }: Rotation): Counts {
  const counts = { day: keep_daily, week: keep_weekly, month: keep_monthly, year: keep_yearly };
  if (Object.values(counts).every((count) => count === 0)) throw fail.rotateKeepsNothing();
  return counts;
}

/** Backups in a folder, with those that are kept and those that are due to go. */
async function rotation(params: Rotation, { files, signal }: Context<'FA_rotate_backups'>) {
  const { directory, pattern } = params;
  const counts = countsOf(params);
  const found = await files.find(directory);
  if (found?.kind !== 'directory') throw fail.rotateFolderNotFound({ path: directory });
  const backups = await backupsIn(files, directory, pattern, signal);
  const kept = keptOf(backups, counts);
  return { backups, kept, due: backups.filter((backup) => !kept.has(backup)) };
}

/**
 * The regular files that take part, the newest first; among those of one time, the last name first. A file that
 * is still being written is no backup yet.
 */
async function backupsIn(
  files: Files,
  directory: string,
  pattern: string,
  signal: AbortSignal,
): Promise<readonly Backup[]> {
  const entries = (await files.survey(directory, signal)).filter(
    ({ name, stat }) => stat.kind === 'file' && !files.isTemporary(name) && matchesGlob(name, pattern),
  );
  const backups = entries.map(({ name, stat }) => ({ path: join(directory, name), mtime_ms: stat.mtime_ms }));
  return backups.sort((one, other) => other.mtime_ms - one.mtime_ms || (one.path < other.path ? 1 : -1));
}

/** The oldest goes first: what a run that ends too early leaves is the newest. */
async function remove(
  files: Files,
  due: readonly Backup[],
  signal: AbortSignal,
): Promise<{ deleted: string[]; errors: [string, string][] }> {
  const deleted: string[] = [];
  const errors: [string, string][] = [];
  for (const { path } of due.toReversed()) {
    signal.throwIfAborted();
    try {
      await files.remove(path);
      deleted.unshift(path);
    } catch (error) {
      // Another rotation was first.
      if (hasCode(error, 'ENOENT')) continue;
      errors.unshift([path, asFailure(error, 'FA_rotate_backups').message]);
    }
  }
  return { deleted, errors };
}

function pathsOf(backups: readonly Backup[]): string[] {
  return backups.map(({ path }) => path);
}
