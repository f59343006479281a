import { describe, expect, test } from 'vitest';

import { chanceOf } from '#runtime/kernel/chance.ts';

import { node, runCase, type Case, type Ran } from './harness.ts';

describe('chance by a seed', () => {
  test('repeats, and differs by seed and key', () => {
    const values = (seed: number, key: string): readonly unknown[] => {
      const chance = chanceOf(seed, key);
      return [chance.number(), chance.uuid(), chance.number()];
    };
    expect(values(7, 'a#1')).toEqual(values(7, 'a#1'));
    expect(values(7, 'a#1')).not.toEqual(values(8, 'a#1'));
    expect(values(7, 'a#1')).not.toEqual(values(7, 'a#2'));
    // The same on every machine and in every version: a seed that was written down must go on to repeat its run.
    expect(values(7, 'a#1')).toEqual([0.7921367019229985, '18526b3835514eeb80c2efbc4e93fdb3', 0.21825349622688606]);
  });

  test('is even', () => {
    const chance = chanceOf(1, 'even');
    const counts = Array.from({ length: 10 }, () => 0);
    for (let turn = 0; turn < 20_000; turn++) {
      const at = Math.floor(chance.number() * 10);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
    const firsts = new Set(Array.from({ length: 2000 }, (_, key) => chanceOf(1, `a.yaml#${key}`).number()));
    expect(firsts.size).toBe(2000);
    expect(chance.uuid()).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });

  const commands: Case['commands'] = {
    FAKE: {
      needs: ['chance'],
      does: (_, ctx) => (ctx as unknown as { chance: { number(): number } }).chance.number(),
    },
    RETRIED: {
      needs: ['chance'],
      does: (_, ctx) => {
        const value = (ctx as unknown as { chance: { number(): number } }).chance.number();
        if (ctx.step.attempt === 1) throw new Error(`first ${value}`);
        return value;
      },
    },
  };
  const valuesOf = ({ records }: Ran): unknown =>
    records.map(({ id, result }) => `${id} ${JSON.stringify(result)}`).sort();
  const body = ['0', '1', '2', '3'].map((id) => node(id, 'FAKE'));
  const graph = { kind: 'graph', failed: 'skip-dependents', max_workers: 4 } as const;

  test('of a run: the same seed gives the same values to the same steps, in order or at once', async () => {
    const one = await runCase({ commands, body, options: { seed: 3 } });
    const again = await runCase({ commands, body: body.toReversed(), unit: { order: graph }, options: { seed: 3 } });
    expect(valuesOf(again)).toEqual(valuesOf(one));
    expect(new Set(one.records.map(({ result }) => result)).size).toBe(4);
    expect(one.outcome.seed).toBe(3);
    expect(one.records.map(({ seed }) => seed)).toEqual([3, 3, 3, 3]);
    const other = await runCase({ commands, body, options: { seed: 4 } });
    expect(valuesOf(other)).not.toEqual(valuesOf(one));
  });

  test('one that was drawn is told, and gives the same values again; repeats and attempts differ', async () => {
    const needs = {
      commands: [],
      effects: [],
      ports: ['chance'],
      gates: [],
      env: [],
      files: [],
      hosts: [],
      packages: [],
    };
    const drawn = await runCase({ commands, body, unit: { needs }, options: { repeat: 2 } });
    const { seed } = drawn.outcome;
    expect(drawn.events[0]).toMatchObject({ kind: 'run-started', seed });
    const again = await runCase({ commands, body, options: { repeat: 2, seed: seed ?? -1 } });
    expect(valuesOf(again)).toEqual(valuesOf(drawn));
    expect(new Set(drawn.records.map(({ result }) => result)).size).toBe(8);
    const ofFile = await runCase({ commands, body, unit: { needs, seed: 5 } });
    expect([ofFile.outcome.seed, ofFile.events[0]]).toMatchObject([5, { seed: 5 }]);
    // No seed of the run gives the values of files that say different ones.
    const units = [5, 6].map((own) => ({ source: `${own}.yaml`, needs, seed: own, body }));
    const different = await runCase({ commands, units });
    expect(different.events[0]).not.toHaveProperty('seed');
    expect(different.records.map((record) => record.seed)).toEqual([5, 5, 5, 5, 6, 6, 6, 6]);
    const retried = await runCase({
      commands,
      body: [{ ...node('0', 'RETRIED'), retry: { max_attempts: 2, interval_s: 0 } }],
      options: { seed: 3 },
    });
    const failed = retried.events.find(({ kind }) => kind === 'attempt-failed');
    expect(JSON.stringify(failed)).not.toContain(String(retried.records[0]?.result));
  });

  test('`--seed` before that of the file, that before that of the configuration', async () => {
    const given = async (test: Case): Promise<unknown> => valuesOf(await runCase({ commands, body, ...test }));
    const settings = { gates: {}, seed: 5 };
    const five = await given({ options: { seed: 5 } });
    expect(await given({ program: { settings } })).toEqual(five);
    expect(await given({ unit: { seed: 5 }, program: { settings: { gates: {}, seed: 6 } } })).toEqual(five);
    expect(await given({ unit: { seed: 6 }, options: { seed: 5 } })).toEqual(five);
  });
});
