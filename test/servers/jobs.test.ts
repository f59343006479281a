import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json, JsonObject } from '#schemas/types/json.ts';

import { serve, type Served } from './open.ts';

let served: Served;
beforeAll(async () => {
  const rules = { allowed: null, denied: [] };
  served = await serve('http', { secret: 'shared', named: [{ name: 'ann', secret: 'of ann', ...rules }] });
  mkdirSync(join(served.root, 'tree'));
  mkdirSync(join(served.root, 'watched'));
  writeFileSync(join(served.root, 'tree/a.txt'), 'a');
  await run('shared', 'FA_write_manifest', { root: 'tree', manifest_path: 'tree.json' });
});
afterAll(() => served[Symbol.asyncDispose]());

/** Status and value of one action, or its error. */
async function run(secret: string, command: string, params: Json = {}): Promise<[string, Json]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  const body = JSON.stringify([[command, params]]);
  const answer = await fetch(`${served.url}/actions`, { method: 'POST', headers, body });
  const [result] = Object.values((await answer.json()) as Record<string, Record<string, Json>>);
  return [String(result?.['status']), result?.['value'] ?? result?.['error'] ?? null];
}

describe('a job that a call has begun', () => {
  const list = [['FA_create_dir', ['made']]];
  it.each<['watch' | 'schedule' | 'monitor', string, JsonObject & { name: string }, string, string]>([
    ['watch', 'FA_watch_start', { name: 'one', path: 'watched', action_list: list }, 'FA_watch_list', 'FA_watch_stop'],
    [
      'schedule',
      'FA_schedule_add',
      { name: 'one', cron_expression: '0 0 1 1 *', action_list: list },
      'FA_schedule_list',
      'FA_schedule_remove',
    ],
    [
      'monitor',
      'FA_integrity_start',
      { name: 'one', root: 'tree', manifest_path: 'tree.json' },
      'FA_integrity_list',
      'FA_integrity_stop',
    ],
  ])('is listed and ended by later calls of its caller alone: %s', async (what, start, params, listing, stop) => {
    expect(await run('shared', start, params)).toMatchObject(['ok', { name: 'one' }]);
    expect(await run('shared', listing)).toMatchObject(['ok', [{ name: 'one' }]]);
    expect(await run('of ann', listing)).toEqual(['ok', []]);
    expect((await run('of ann', stop, { name: 'one' }))[0]).toBe('error');
    // A name is taken as long as its job goes on; a monitor with the same settings is there already.
    expect((await run('shared', start, { ...params, ...(start === 'FA_integrity_start' && { interval: 7 }) }))[0]).toBe(
      'error',
    );
    expect(await run('of ann', start, params)).toMatchObject(['ok', { name: 'one' }]);
    // Those who look at the whole server see the jobs of all its callers.
    const of = { watch: join(served.root, 'watched'), schedule: '0 0 1 1 *', monitor: 'tree.json' }[what];
    expect(served.calls.jobs()).toMatchObject([
      { name: 'one', of: expect.stringContaining(String(of)) as string },
      { name: 'one' },
    ]);
    expect(await run('of ann', stop, { name: 'one' })).toMatchObject(['ok', { name: 'one' }]);
    expect(await run('shared', listing)).toMatchObject(['ok', [{ name: 'one' }]]);
    expect(await run('shared', stop, { name: 'one' })).toMatchObject(['ok', { name: 'one' }]);
    expect(await run('shared', listing)).toEqual(['ok', []]);
    expect((await run('shared', start, params))[0]).toBe('ok');
    expect((await run('shared', stop, { name: 'one' }))[0]).toBe('ok');
  });

  it('has its name for itself where several calls begin at once', async () => {
    const watch = { name: 'race', path: 'watched', action_list: list };
    const begun = await Promise.all(Array.from({ length: 8 }, () => run('shared', 'FA_watch_start', watch)));
    expect(begun.map(([status]) => status).toSorted()).toEqual([...Array.from({ length: 7 }, () => 'error'), 'ok']);
    expect(await run('shared', 'FA_watch_stop', { name: 'race' })).toMatchObject(['ok', { name: 'race' }]);
    expect(await run('shared', 'FA_watch_list')).toEqual(['ok', []]);
  });

  it('ends with all others of its caller', async () => {
    for (const name of ['a', 'b'])
      await run('shared', 'FA_schedule_add', { name, cron_expression: '0 0 1 1 *', action_list: list });
    expect(await run('shared', 'FA_schedule_remove_all')).toMatchObject(['ok', [{ name: 'a' }, { name: 'b' }]]);
    expect(await run('shared', 'FA_schedule_list')).toEqual(['ok', []]);
  });
});
