import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { failureOf, session, type Session } from '../call.ts';

let snapshot_dir = '';
let unit: Session;
beforeEach(async () => {
  snapshot_dir = await mkdtemp(join(tmpdir(), 'svc-snapshots-'));
  unit = await session({ settings: { update_snapshots: false } });
});
afterEach(async () => {
  await unit.end();
  await rm(snapshot_dir, { recursive: true });
});

const update = (name: string, value: string): Promise<unknown> =>
  unit.call('WR_update_snapshot', { name, value, snapshot_dir });
const match = (name: string, value: string): Promise<unknown> =>
  unit.call('WR_match_snapshot', { name, value, snapshot_dir });
const remove = (name: string): Promise<unknown> => unit.call('WR_delete_snapshot', { name, snapshot_dir });

describe('two names that would share a file', () => {
  it.each([
    ['a_b', 'a/b'],
    ['a/b', 'a_b'],
    ['a/b', 'a b'],
  ])('are refused where %j comes before %j', async (first, second) => {
    await update(first, 'mine');
    for (const use of [() => match(second, 'mine'), () => update(second, 'other'), () => remove(second)])
      expect((await failureOf(use())).facts.code).toBe('SVC82102');
    expect(await match(first, 'mine')).toBe('matched');
  });

  it('may follow each other', async () => {
    expect(await remove('a/b')).toBe(false);
    await update('a_b', 'one');
    expect(await remove('a_b')).toBe(true);
    await update('a/b', 'two');
    expect(await match('a/b', 'two')).toBe('matched');
    expect((await readdir(snapshot_dir)).toSorted()).toEqual(['a_b.snap', 'a_b.snap.name']);
  });
});

it('a text with half a character matches what was stored of it', async () => {
  await update('half', 'a \ud83d b');
  expect(await match('half', 'a \ud83d b')).toBe('matched');
  expect(await readFile(join(snapshot_dir, 'half.snap'), 'utf8')).toBe('a \ufffd b');
});
