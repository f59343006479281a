import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { failureOf, session } from '../../call.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-ledger-'));
});
afterEach(() => rm(root, { recursive: true }));

describe.each(['ledger.json', 'ledger.sqlite'])('a ledger in %s', (name) => {
  const at = (): string => join(root, 'runs', name);

  it('tells the latest outcome of each file, in the order in which files came', async () => {
    await using unit = await session();
    for (const [file_path, passed] of [
      ['b.json', false],
      ['a.json', false],
      ['b.json', true],
      ['__proto__', false],
    ] as const)
      await unit.call('WR_ledger_record_run', { ledger_path: at(), file_path, passed });
    expect(await unit.call('WR_ledger_failed_files', { ledger_path: at() })).toEqual(['a.json', '__proto__']);
    expect(await unit.call('WR_ledger_passed_files', { ledger_path: at() })).toEqual(['b.json']);
  });

  it('counts as empty while it is missing, and is made with its folders', async () => {
    await using unit = await session();
    expect(await unit.call('WR_ledger_failed_files', { ledger_path: at() })).toEqual([]);
    expect(await unit.call('WR_flakiness_stats', { ledger_path: at() })).toEqual({});
    await unit.call('WR_ledger_clear', { ledger_path: at() });
    await unit.call('WR_ledger_record_run', { ledger_path: at(), file_path: 'a', passed: true });
    await unit.call('WR_ledger_clear', { ledger_path: at() });
    expect(await readdir(join(root, 'runs'))).toEqual([]);
  });

  it('keeps every entry of steps that write at once', async () => {
    await using unit = await session();
    const record = (index: number): Promise<unknown> =>
      unit.call('WR_ledger_record_run', { ledger_path: at(), file_path: `${index}.json`, passed: true });
    await Promise.all(Array.from({ length: 12 }, (_, index) => record(index)));
    expect(await unit.call('WR_ledger_passed_files', { ledger_path: at() })).toHaveLength(12);
  });

  it('fails with LedgerError where it is broken, and stays as it was', async () => {
    await using unit = await session();
    await mkdir(join(root, 'runs'));
    await writeFile(at(), 'no ledger at all, by no means, but a long enough text to be one');
    const failure = await failureOf(
      unit.call('WR_ledger_record_run', { ledger_path: at(), file_path: 'a', passed: true }),
    );
    expect(failure.name).toBe('LedgerError');
    expect(await readFile(at(), 'utf8')).toMatch(/^no ledger/);
  });
});

describe('a ledger in SQLite', () => {
  it('takes an entry into the file that has its name by then, and leaves nothing beside it', async () => {
    const ledger_path = join(root, 'ledger.sqlite');
    await using unit = await session();
    await using other = await session();
    const record = (file_path: string): Promise<unknown> =>
      unit.call('WR_ledger_record_run', { ledger_path, file_path, passed: true });
    const passed = (): Promise<unknown> => other.call('WR_ledger_passed_files', { ledger_path });
    await record('a');
    await record('b');
    await rename(ledger_path, join(root, 'last-year.sqlite'));
    await record('c');
    expect(await passed()).toEqual(['c']);
    await other.call('WR_ledger_clear', { ledger_path });
    await record('d');
    await other.call('WR_ledger_record_run', { ledger_path, file_path: 'e', passed: true });
    await record('f');
    expect(await passed()).toEqual(['d', 'e', 'f']);
    expect((await readdir(root)).toSorted()).toEqual(['last-year.sqlite', 'ledger.sqlite']);
  });

  it('is opened once for the entries of a unit, and closed at its end', async () => {
    const ledger_path = join(root, 'ledger.sqlite');
    const open = async (): Promise<number> => {
      const names = await readdir('/proc/self/fd');
      const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
      return targets.filter((target) => target === ledger_path).length;
    };
    {
      await using unit = await session();
      for (const file_path of ['a', 'b', 'c'])
        await unit.call('WR_ledger_record_run', { ledger_path, file_path, passed: true });
      expect(await open()).toBe(1);
    }
    expect(await open()).toBe(0);
  });
});

describe('a ledger in JSON', () => {
  it('is indented by two, with times in UTC, and keeps what else it holds', async () => {
    const path = join(root, 'ledger.json');
    await writeFile(path, '{"note": "ours", "runs": [{"path": "old.json", "passed": false, "commit": "c1"}]}');
    await using unit = await session();
    await unit.call('WR_ledger_record_run', { ledger_path: path, file_path: 'a.json', passed: true });
    const text = await readFile(path, 'utf8');
    const time = /"time": "(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/.exec(text)?.[1];
    const runs = [
      { path: 'old.json', passed: false, commit: 'c1' },
      { path: 'a.json', passed: true, time },
    ];
    expect(text).toBe(`${JSON.stringify({ note: 'ours', runs }, null, 2)}\n`);
  });

  it('passes over entries without a path, and counts those without an outcome as failed', async () => {
    const path = join(root, 'ledger.json');
    await writeFile(
      path,
      JSON.stringify({ runs: [{ passed: true }, 7, null, { path: 'a' }, { path: 'b', passed: 1 }] }),
    );
    await using unit = await session();
    expect(await unit.call('WR_ledger_failed_files', { ledger_path: path })).toEqual(['a', 'b']);
  });

  it.each(['[]', '{}', '{"runs": {}}', ''])('is refused as %j', async (text) => {
    const path = join(root, 'ledger.json');
    await writeFile(path, text);
    await using unit = await session();
    const failure = await failureOf(unit.call('WR_ledger_failed_files', { ledger_path: path }));
    expect(failure.facts).toMatchObject({ name: 'LedgerError', code: 'SVC82000' });
  });
});

describe('flaky files', () => {
  const write = async (outcomes: Readonly<Record<string, string>>): Promise<string> => {
    const path = join(root, 'ledger.json');
    const runs = Object.entries(outcomes).flatMap(([file, text]) =>
      [...text].map((letter) => ({ path: file, passed: letter === '+' })),
    );
    await writeFile(path, JSON.stringify({ runs }));
    return path;
  };

  it('have passed and failed in enough runs', async () => {
    const ledger_path = await write({ few: '+-', wavers: '+-+', good: '++++', bad: '----', seldom: '+++++++++-' });
    await using unit = await session();
    expect(await unit.call('WR_flaky_paths', { ledger_path })).toEqual(['wavers', 'seldom']);
    expect(await unit.call('WR_flaky_paths', { ledger_path, min_runs: 2 })).toEqual(['few', 'wavers', 'seldom']);
    expect(await unit.call('WR_flaky_paths', { ledger_path, min_fail_rate: 0.3 })).toEqual(['wavers']);
    const stats = await unit.call('WR_flakiness_stats', { ledger_path });
    expect(stats).toMatchObject({ seldom: { runs: 10, passes: 9, fails: 1, flaky: true }, good: { flaky: false } });
  });

  it('are so no longer once the latest 50 runs agree, unless all are looked at', async () => {
    const ledger_path = await write({ mended: `-${'+'.repeat(50)}` });
    await using unit = await session();
    expect(await unit.call('WR_flaky_paths', { ledger_path })).toEqual([]);
    expect(await unit.call('WR_flaky_paths', { ledger_path, window: null })).toEqual(['mended']);
  });

  it('are looked for in as many runs as they need, where those are more than 50', async () => {
    const ledger_path = await write({ wavers: '+-'.repeat(40), few: '+-'.repeat(25) });
    await using unit = await session();
    expect(await unit.call('WR_flaky_paths', { ledger_path, min_runs: 60 })).toEqual(['wavers']);
    expect(await unit.call('WR_flakiness_stats', { ledger_path, min_runs: 60 })).toMatchObject({
      wavers: { runs: 60, flaky: true },
      few: { runs: 50, flaky: false },
    });
    expect(await unit.call('WR_flakiness_stats', { ledger_path, window: 2 })).toMatchObject({ few: { runs: 2 } });
  });
});
