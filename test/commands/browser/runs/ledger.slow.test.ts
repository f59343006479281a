import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { compete } from '../../../fixtures/competing.ts';
import { session } from '../../call.ts';

const kills = process.env['SVC_TEST_FULL'] ? 100 : 8;

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-ledger-'));
});
afterEach(() => rm(root, { recursive: true }));

it.each(['ledger.json', 'ledger.sqlite'])(
  'ten processes that write %s at once, some of them killed, lose no entry',
  async (name) => {
    const ledger_path = join(root, name);
    const { taken, killed, wrong } = await compete([ledger_path], { workers: 10, kills, program: 'ledger-worker.ts' });
    expect({ killed, wrong }).toEqual({ killed: kills, wrong: [] });
    await using unit = await session();
    await unit.call('WR_ledger_record_run', { ledger_path, file_path: 'last', passed: true });
    const stats = (await unit.call('WR_flakiness_stats', { ledger_path })) as Record<string, { runs: number }>;
    const entries = Object.keys(stats).length - 1;
    // An entry may be safe and its process killed before it could say so.
    expect(entries).toBeGreaterThanOrEqual(taken);
    expect(entries).toBeLessThanOrEqual(taken + kills + 10);
    expect(Object.values(stats).every(({ runs }) => runs === 1)).toBe(true);
    expect((await readdir(root)).filter((other) => !other.startsWith(name) || other.endsWith('.held'))).toEqual([]);
  },
  180_000,
);
