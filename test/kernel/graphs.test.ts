import { describe, expect, test } from 'vitest';

import type { CallNode, Order } from '#schemas/types/plan.ts';

import { node, runCase, variable } from './harness.ts';

const graph = (failed: 'skip-dependents' | 'run-dependents' | 'stop' = 'skip-dependents', max_workers = 4): Order => ({
  kind: 'graph',
  failed,
  max_workers,
});
const after = (...ids: string[]): Partial<CallNode> => ({ after: ids.map((id) => `a.yaml#${id}`) });

describe('a graph', () => {
  test('runs nodes at the same time, each after what it depends on', async () => {
    const { records, host } = await runCase({
      unit: { order: graph() },
      body: [
        node('c', 'SLEEP', { ms: 100 }, after('a', 'b')),
        node('a', 'SLEEP', { ms: 1000 }),
        node('b', 'SLEEP', { ms: 2000 }),
      ],
    });
    expect(records.map(({ id }) => id)).toEqual(['a.yaml#a', 'a.yaml#b', 'a.yaml#c']);
    expect(host.clock.monotonic()).toBe(2100);
  });

  test('runs at most `max_workers` nodes', async () => {
    let now = 0;
    let most = 0;
    const commands = {
      BUSY: async (_: unknown, ctx: { clock: { sleep(ms: number): Promise<void> } }) => {
        most = Math.max(most, ++now);
        await ctx.clock.sleep(10);
        now--;
      },
    };
    await runCase({
      commands,
      unit: { order: graph('skip-dependents', 3) },
      body: Array.from({ length: 20 }, (_, index) => node(String(index), 'BUSY')),
    });
    expect(most).toBe(3);
  });

  test('graphs of several files share one pool', async () => {
    let now = 0;
    let most = 0;
    const commands = {
      BUSY: async (_: unknown, ctx: { clock: { sleep(ms: number): Promise<void> } }) => {
        most = Math.max(most, ++now);
        await ctx.clock.sleep(10);
        now--;
      },
    };
    const units = ['a.yaml', 'b.yaml', 'c.yaml'].map((source) => ({
      source,
      order: graph('skip-dependents', 4),
      body: Array.from({ length: 9 }, (_, index) => node(`${source}#${index}`, 'BUSY')),
    }));
    const { outcome } = await runCase({ commands, units, options: { workers: 3 } });
    expect(outcome.counts.passed).toBe(27);
    expect(most).toBe(4);
  });

  test('leaves the places of others free while it has nothing to begin', async () => {
    const { host } = await runCase({
      unit: { order: graph() },
      options: { workers: 1 },
      body: [
        node('a', 'SLEEP', { ms: 1000 }),
        node('b', 'SLEEP', { ms: 1000 }, after('a')),
        node('c', 'SLEEP', { ms: 1000 }, after('a')),
      ],
    });
    expect(host.clock.monotonic()).toBe(2000);
  });

  test('skips what depends on a failed node, once each, and runs the others', async () => {
    const { lines } = await runCase({
      unit: { order: graph() },
      body: [
        node('a', 'FAIL'),
        node('b', 'GET', { value: 1 }, after('a')),
        node('c', 'GET', { value: 1 }, after('b', 'a')),
        node('d', 'GET', { value: 1 }),
      ],
    });
    expect(lines.toSorted()).toEqual([
      'a.yaml#a failed',
      'a.yaml#b skipped: "a.yaml#a" failed, on which it depends',
      'a.yaml#c skipped: "a.yaml#b" was skipped, on which it depends',
      'a.yaml#d passed',
    ]);
  });

  test('`fail_fast: false` runs dependents too', async () => {
    const { lines } = await runCase({
      unit: { order: graph('run-dependents') },
      body: [node('a', 'FAIL'), node('b', 'GET', { value: 1 }, after('a'))],
    });
    expect(lines).toEqual(['a.yaml#a failed', 'a.yaml#b passed']);
  });

  test('`stop`: no new node begins, those at work go on', async () => {
    const { lines } = await runCase({
      unit: { order: graph('stop', 2) },
      body: [node('slow', 'SLEEP', { ms: 1000 }), node('a', 'FAIL'), node('b', 'GET', { value: 1 })],
    });
    expect(lines).toEqual([
      'a.yaml#a failed',
      'a.yaml#b skipped: "a.yaml#a" failed, and no new node begins after a failure',
      'a.yaml#slow passed',
    ]);
  });

  test('a branch sees what it depends on and not its neighbours; the later write wins at a join', async () => {
    const see = (name: string) => ({ value: { ref: { ...variable(name), default: 'unset' } } });
    const { of } = await runCase({
      unit: {
        order: graph(),
        setup: [node('setup.0', 'SET', { name: 'base', value: 0 })],
        body: [
          node('a', 'SET', { name: 'x', value: 'a' }),
          node('b', 'SET', { name: 'x', value: 'b' }, after('a')),
          node('blind', 'GET', see('x')),
          node('join', 'GET', see('x'), after('b', 'a')),
          node('base', 'GET', see('base'), after('b')),
        ],
        teardown: [node('t', 'GET', see('x'))],
      },
    });
    expect(of('a.yaml#blind').result).toBe('unset');
    expect(of('a.yaml#join').result).toBe('b');
    expect(of('a.yaml#base').result).toBe(0);
    expect(of('a.yaml#t').result).toBe('b');
  });

  test('after a join the last response is that of the branch listed last, unless another went on from it', async () => {
    const commands = {
      ASK: (
        { value }: { value: never },
        ctx: { variables: { set(name: string, value: never, options: { reserved: boolean }): void } },
      ) => ctx.variables.set('last_response', value, { reserved: true }),
    };
    const response = { value: { ref: variable('last_response') } };
    const { of } = await runCase({
      commands: commands as never,
      unit: { order: graph() },
      body: [
        node('one', 'ASK', { value: 'one' }),
        node('two', 'ASK', { value: 'two' }),
        node('on', 'ASK', { value: 'on' }, after('two')),
        node('x', 'GET', response, after('two', 'one')),
        node('y', 'GET', response, after('one', 'two')),
        node('z', 'GET', response, after('on', 'two')),
      ],
    });
    expect([of('a.yaml#x').result, of('a.yaml#y').result, of('a.yaml#z').result]).toEqual(['one', 'two', 'on']);
  });

  test('{{steps}} and {{run}} tell of what a node depends on', async () => {
    const { of } = await runCase({
      unit: { order: graph('run-dependents') },
      body: [
        node('a', 'FAIL', { text: 'kaput' }),
        node('b', 'GET', { value: 7 }),
        node('c', 'GET', { value: { ref: variable('steps', 'b', 'result') } }, after('b')),
        node('d', 'GET', { value: { ref: variable('run', 'status') } }, after('b')),
        node('e', 'GET', { value: { ref: variable('run', 'failed', 0, 'message') } }, after('a')),
        node('f', 'GET', { value: { ref: variable('steps', 'a', 'status') } }, after('b')),
      ],
    });
    expect(of('a.yaml#c').result).toBe(7);
    expect(of('a.yaml#d').result).toBe('passed');
    expect(of('a.yaml#e').result).toBe('FAIL broke: kaput');
    expect(of('a.yaml#f').error?.code).toBe('SVC80019');
  });

  test('a chain of 20,000 nodes is no deeper than a list', async () => {
    const { outcome } = await runCase({
      unit: { order: graph() },
      body: Array.from({ length: 20_000 }, (_, index) =>
        node(String(index), 'SET', { name: 'x', value: index }, index === 0 ? {} : after(String(index - 1))),
      ),
      options: { reporters: [] },
    });
    expect(outcome.counts.passed).toBe(20_000);
  });
});
