import { execFileSync } from 'node:child_process';
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_rotate_backups } from '#stdlib/files/copies/backup/backup.ts';
import { keptOf } from '#stdlib/files/copies/backup/retention.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';

let place: Place;
beforeEach(async () => void (place = await openPlace()));
afterEach(() => place.close());

/** A file of that time, in UTC; its name is that time. */
async function backup(time: string, name = time): Promise<void> {
  await writeFile(place.path(name), time);
  const at = Date.parse(`${time}Z`) / 1000;
  await utimes(place.path(name), at, at);
}

interface Counts {
  readonly directory?: string;
  readonly keep_daily?: number;
  readonly keep_weekly?: number;
  readonly keep_monthly?: number;
  readonly keep_yearly?: number;
  readonly pattern?: string;
  readonly dry_run?: boolean;
}

async function rotate(counts: Counts = {}, host = place) {
  const params = {
    directory: place.root,
    pattern: '*',
    keep_daily: 0,
    keep_weekly: 0,
    keep_monthly: 0,
    keep_yearly: 0,
    dry_run: false,
    ...counts,
  };
  const { kept, deleted, errors } = await call(FA_rotate_backups, host, params);
  const names = (paths: readonly string[]): string[] => paths.map((path) => path.slice(place.root.length + 1));
  return { kept: names(kept), deleted: names(deleted), errors };
}

describe('FA_rotate_backups', () => {
  it('keeps the newest file of the newest days that have one', async () => {
    for (const time of [
      '2024-03-10T23:59:59',
      '2024-03-10T00:00:00',
      '2024-03-09T12:00',
      '2024-03-01T12:00',
      '2024-02-29T12:00',
    ])
      await backup(time);
    expect(await rotate({ keep_daily: 3 })).toEqual({
      kept: ['2024-03-10T23:59:59', '2024-03-09T12:00', '2024-03-01T12:00'],
      deleted: ['2024-03-10T00:00:00', '2024-02-29T12:00'],
      errors: [],
    });
    expect((await readdir(place.root)).sort()).toEqual(['2024-03-01T12:00', '2024-03-09T12:00', '2024-03-10T23:59:59']);
  });

  it('counts ISO weeks, which begin on Monday and cross years', async () => {
    // 30 December 2024 to 5 January 2025 is one week; 29 December 2024 is a Sunday.
    for (const time of [
      '2025-01-05T12:00',
      '2024-12-30T12:00',
      '2024-12-29T12:00',
      '2024-12-23T12:00',
      '2024-12-22T12:00',
    ])
      await backup(time);
    expect((await rotate({ keep_weekly: 2 })).kept).toEqual(['2025-01-05T12:00', '2024-12-29T12:00']);
  });

  it('counts months and years', async () => {
    const times = [
      '2024-03-31T23:59',
      '2024-03-01T00:00',
      '2024-02-29T00:00',
      '2023-12-31T23:59',
      '2023-02-01T00:00',
      '2021-01-01T00:00',
    ];
    for (const time of times) await backup(time);
    expect((await rotate({ keep_monthly: 3, dry_run: true })).kept).toEqual([
      '2024-03-31T23:59',
      '2024-02-29T00:00',
      '2023-12-31T23:59',
    ]);
    expect((await rotate({ keep_yearly: 3, dry_run: true })).kept).toEqual([
      '2024-03-31T23:59',
      '2023-12-31T23:59',
      '2021-01-01T00:00',
    ]);
    expect((await rotate({ keep_monthly: 1, keep_yearly: 9, dry_run: true })).deleted).toEqual([
      '2024-03-01T00:00',
      '2024-02-29T00:00',
      '2023-02-01T00:00',
    ]);
    expect(await readdir(place.root)).toHaveLength(times.length);
  });

  it('is settled after one run', async () => {
    for (let day = 1; day <= 28; day += 1) await backup(`2024-02-${String(day).padStart(2, '0')}T03:00`);
    const first = await rotate({ keep_daily: 7, keep_weekly: 4, keep_monthly: 12 });
    expect(first.kept).toHaveLength(9);
    expect(await rotate({ keep_daily: 7, keep_weekly: 4, keep_monthly: 12 })).toEqual({
      kept: first.kept,
      deleted: [],
      errors: [],
    });
  });

  it('touches only files that match', async () => {
    await backup('2024-03-10T12:00', 'db-1.sql');
    await backup('2024-03-09T12:00', 'db-2.sql');
    await backup('2024-03-08T12:00', 'notes.txt');
    await mkdir(place.path('db-3.sql'));
    await symlink('db-1.sql', place.path('db-4.sql'));
    execFileSync('mkfifo', [place.path('db-5.sql')]);
    expect(await rotate({ keep_daily: 1, pattern: 'db-?.sql' })).toEqual({
      kept: ['db-1.sql'],
      deleted: ['db-2.sql'],
      errors: [],
    });
    expect((await readdir(place.root)).sort()).toEqual(['db-1.sql', 'db-3.sql', 'db-4.sql', 'db-5.sql', 'notes.txt']);
  });

  it('takes a file that is still being written for no backup', async () => {
    await backup('2024-03-10T12:00', 'done');
    await backup('2024-03-09T12:00', 'older');
    const writing = basename(place.context.files.temporaryBeside(place.path('next')));
    await backup('2024-03-10T13:00', writing);
    expect(await rotate({ keep_daily: 1 })).toEqual({ kept: ['done'], deleted: ['older'], errors: [] });
    expect((await readdir(place.root)).sort()).toEqual([writing, 'done'].sort());
  });

  it('takes the last name of one time for the newest', async () => {
    for (const name of ['b', 'c', 'a']) await backup('2024-03-10T12:00', name);
    expect(await rotate({ keep_daily: 1 })).toEqual({ kept: ['c'], deleted: ['b', 'a'], errors: [] });
  });

  it('lists what could not be deleted under errors, not under deleted', async () => {
    for (const time of ['2024-03-10T12:00', '2024-03-09T12:00', '2024-03-08T12:00']) await backup(time);
    const { files } = place.context;
    const remove: typeof files.remove = async (path) => {
      if (path.includes('03-09')) throw Object.assign(new Error('no'), { code: 'EACCES', path });
      await files.remove(path);
    };
    const host = { ...place, context: { ...place.context, files: { ...files, remove } } };
    const path = place.path('2024-03-09T12:00');
    expect(await rotate({ keep_daily: 1 }, host)).toEqual({
      kept: ['2024-03-10T12:00'],
      deleted: ['2024-03-08T12:00'],
      errors: [[path, `"${path}": permission denied.`]],
    });
  });

  it('does not mind what another rotation has deleted meanwhile', async () => {
    for (const time of ['2024-03-10T12:00', '2024-03-09T12:00', '2024-03-08T12:00']) await backup(time);
    const { files } = place.context;
    const late = {
      ...place,
      context: {
        ...place.context,
        files: { ...files, remove: async (path: string) => (await files.remove(path), files.remove(path)) },
      },
    };
    expect(await rotate({ keep_daily: 1 }, late)).toEqual({ kept: ['2024-03-10T12:00'], deleted: [], errors: [] });
    expect(await readdir(place.root)).toEqual(['2024-03-10T12:00']);
  });

  it('refuses to keep nothing, and a folder that is missing', async () => {
    await backup('2024-03-10T12:00');
    expect((await failureOf(rotate())).facts).toMatchObject({ code: 'SVC86208', name: 'RotateException' });
    expect((await failureOf(rotate({ keep_daily: 1, directory: place.path('2024-03-10T12:00') }))).facts).toMatchObject(
      { code: 'SVC86207', name: 'RotateException' },
    );
  });

  it('agrees with plain rules on ten thousand random lists', () => {
    let state = 7;
    const below = (limit: number): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % limit;
    for (let round = 0; round < 10_000; round += 1) {
      const backups = Array.from({ length: below(12) }, (_, index) => ({
        path: String(index),
        mtime_ms: below(3_000) * 11 * 3_600_000,
      })).sort((one, other) => other.mtime_ms - one.mtime_ms);
      const counts = { day: below(4), week: below(4), month: below(4), year: below(3) };
      const expected = new Set(
        Object.entries(counts).flatMap(([kind, count]) => newestOf(backups, kind).slice(0, count)),
      );
      expect(keptOf(backups, counts)).toEqual(expected);
    }
  });
});

/**
 * The newest of each period by the period's text. Weeks as ISO 8601 has it: a week belongs to the year of its Thursday.
 */
function newestOf<Item extends { readonly mtime_ms: number }>(newestFirst: readonly Item[], kind: string): Item[] {
  const text = ({ mtime_ms }: Item): string => {
    const date = new Date(mtime_ms);
    if (kind !== 'week') return date.toISOString().slice(0, { day: 10, month: 7, year: 4 }[kind]);
    const thursday = new Date(mtime_ms + (4 - (date.getUTCDay() || 7)) * 86_400_000);
    return `${thursday.getUTCFullYear()}-W${Math.ceil(((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0)) / 86_400_000 + 1) / 7)}`;
  };
  return [...new Map(newestFirst.toReversed().map((item) => [text(item), item])).values()].sort(
    (one, other) => newestFirst.indexOf(one) - newestFirst.indexOf(other),
  );
}
