import { describe, expect, test } from 'vitest';

import type { ControlNode, Node, Value } from '#schemas/types/plan.ts';

import { compares, node, runCase, variable, type TestCommands } from './harness.ts';

type Form = ControlNode extends infer Each
  ? Each extends ControlNode
    ? Omit<Each, 'id' | 'command' | 'args'>
    : never
  : never;

/** A control form; blocks are lists of nodes. */
function form(
  id: string,
  fields: Form,
  blocks: Readonly<Record<string, readonly Node[]>>,
  args: Readonly<Record<string, Value>> = {},
): ControlNode {
  const held = Object.entries(blocks).map(([name, block]) => [name, { block }] as const);
  const { kind } = fields;
  return {
    ...fields,
    id: `a.yaml#${id}`,
    command: kind,
    args: { ...args, ...Object.fromEntries(held) },
  };
}

const lit = (value: number | string | readonly (number | string)[]): Value => ({ lit: value });
const item: Value = { ref: { ns: 'var', name: 'item' } };

/** A command that takes time, and how many of its calls were at work at once. */
function busy(): { readonly commands: TestCommands; readonly most: () => number } {
  let now = 0;
  let most = 0;
  const commands: TestCommands = {
    BUSY: async (_, ctx) => {
      most = Math.max(most, ++now);
      await ctx.clock.sleep(10, ctx.signal);
      now--;
    },
  };
  return { commands, most: () => most };
}

describe('group', () => {
  test('runs `always` after a time limit, in a time of its own', async () => {
    const { lines, of } = await runCase({
      body: [
        form(
          'g',
          { kind: 'group', timeout_s: 1 },
          {
            group: [node('slow', 'SLEEP', { ms: 5000 }), node('rest', 'GET')],
            always: [node('tidy', 'SLEEP', { ms: 3000 })],
          },
        ),
      ],
    });
    expect(lines).toEqual([
      'a.yaml#slow failed',
      'a.yaml#rest skipped: The step did not end within 1 s.',
      'a.yaml#tidy passed',
      'a.yaml#g failed',
    ]);
    expect(of('a.yaml#g').error).toMatchObject({ name: 'step-timed-out' });
  });

  test('runs `always` when the run is stopped', async () => {
    const { lines, outcome } = await runCase({
      body: [
        form(
          'g',
          { kind: 'group' },
          { group: [node('slow', 'SLEEP', { ms: 5000 }), node('rest', 'GET')], always: [node('tidy', 'GET')] },
        ),
        node('after', 'GET'),
      ],
      meanwhile: async ({ stop, host }) => {
        await host.clock.advance(100);
        stop('somebody said so');
      },
    });
    expect(lines).toEqual([
      'a.yaml#slow failed',
      'a.yaml#rest skipped: the run was stopped: somebody said so',
      'a.yaml#tidy passed',
      'a.yaml#g failed',
      'a.yaml#after skipped: the run was stopped: somebody said so',
    ]);
    expect(outcome.counts).toMatchObject({ passed: 1, failed: 2, skipped: 2 });
  });

  test('is repeated whole; attempts before the last count nowhere', async () => {
    let calls = 0;
    const { records, outcome, events } = await runCase({
      commands: {
        THIRD: () => {
          if (++calls < 3) throw new Error('not yet');
        },
      },
      body: [
        form(
          'g',
          { kind: 'group', retry: { max_attempts: 5, interval_s: 1 } },
          { group: [node('first', 'GET'), node('third', 'THIRD')] },
        ),
      ],
      options: { failFast: true },
    });
    expect(records.map(({ id, occurrence = 0, superseded = false }) => [id.slice(7), occurrence, superseded])).toEqual([
      ['first', 0, true],
      ['third', 0, true],
      ['first', 1, true],
      ['third', 1, true],
      ['first', 2, false],
      ['third', 2, false],
      ['g', 0, false],
    ]);
    expect(outcome).toMatchObject({ status: 'passed', counts: { passed: 3, failed: 0, flaky: 1 } });
    expect(events.filter(({ kind }) => kind === 'step-finished')).toHaveLength(7);
  });

  test('marks what an outer attempt supersedes in inner attempts too', async () => {
    let calls = 0;
    const inner = form(
      'inner',
      { kind: 'group', retry: { max_attempts: 2, interval_s: 0 } },
      { group: [node('odd', 'ODD')] },
    );
    const { records, outcome } = await runCase({
      commands: {
        ODD: () => {
          if (++calls < 4) throw new Error('not yet');
        },
      },
      body: [form('outer', { kind: 'group', retry: { max_attempts: 2, interval_s: 0 } }, { group: [inner] })],
    });
    expect(records.map(({ id, status, superseded = false }) => `${id.slice(7)} ${status} ${superseded}`)).toEqual([
      'odd failed true',
      'odd failed true',
      'inner failed true',
      'odd failed true',
      'odd passed false',
      'inner passed false',
      'outer passed false',
    ]);
    expect(outcome.counts).toMatchObject({ passed: 3, failed: 0 });
  });

  test('skips what needs something that a skipped block would have made', async () => {
    const made = form(
      'g',
      { kind: 'group', when: compares({ ns: 'var', name: 'run', path: ['status'] }, '==', 'failed') },
      { group: [{ ...node('set', 'SET', { name: 'a', value: 1 }), provides: ['variable:a'] }] },
    );
    const { lines } = await runCase({
      body: [made, { ...node('get', 'GET', { value: { ref: variable('a') } }), uses: ['variable:a'] }],
    });
    expect(lines.at(-1)).toBe(
      'a.yaml#get skipped: it needs the variable "a", which "a.yaml#g" did not make because it was skipped',
    );
  });
});

describe('numbers of a header that only a run knows', () => {
  const limited = (given: Readonly<Record<string, Value>>): ControlNode =>
    form(
      'u',
      { kind: 'until', condition: compares({ ns: 'var', name: 'a' }, '==', 1) },
      { do: [node('b', 'GET')] },
      given,
    );
  const ranged = (given: Readonly<Record<string, Value>>): ControlNode =>
    form('f', { kind: 'for_each', as: 'item' }, { do: [node('b', 'GET')] }, given);

  test.each([
    [limited({ max_attempts: lit(0) }), '"max_attempts" of "until" must be a whole number from 1, but it is 0.'],
    [limited({ max_attempts: lit(1.5) }), '"max_attempts" of "until" must be a whole number from 1, but it is 1.5.'],
    [limited({ max_s: lit(0) }), '"max_s" of "until" must be a number above 0, but it is 0.'],
    [limited({ interval_s: lit(-1) }), '"interval_s" of "until" must be a number from 0, but it is -1.'],
    [limited({ interval_s: lit('soon') }), '"interval_s" of "until" must be a number from 0, but it is text.'],
    [
      ranged({ from: lit(1), to: lit(2), step: lit(0) }),
      '"step" of "for_each" must be a number other than 0, but it is 0.',
    ],
    [ranged({ from: lit('a'), to: lit(2) }), '"from" of "for_each" must be a number, but it is text.'],
  ])('are refused where they do not fit: %#', async (loop, message) => {
    const { records } = await runCase({ body: [{ ...node('set', 'SET', { name: 'a', value: 2 }) }, loop] });
    expect(records.at(-1)?.error).toMatchObject({ code: 'SVC80073', message });
    expect(records).toHaveLength(2);
  });

  test('wait not at all between two rounds where they say 0', async () => {
    const body = [node('set', 'SET', { name: 'a', value: 2 }), limited({ interval_s: lit(0), max_attempts: lit(3) })];
    const { host, of } = await runCase({ body });
    expect(of('a.yaml#u').status).toBe('failed');
    expect(of('a.yaml#u').error?.name).toBe('until-not-reached');
    expect(host.clock.monotonic()).toBe(0);
  });
});

describe('for_each', () => {
  const loop = (fields: object, block: readonly Node[], items: readonly (number | string)[]): ControlNode =>
    form(
      'loop',
      { kind: 'for_each', as: 'item', ...fields },
      { do: block },
      { for_each: lit(items), max_workers: lit(3) },
    );

  test('runs at most so many iterations at once', async () => {
    const { commands, most } = busy();
    const items = Array.from({ length: 20 }, (_, index) => index);
    const { outcome, host } = await runCase({ commands, body: [loop({ branches: true }, [node('b', 'BUSY')], items)] });
    expect(most()).toBe(3);
    expect(outcome.counts.passed).toBe(21);
    expect(host.clock.monotonic()).toBe(70);
  });

  test('shares the places of the run with other loops', async () => {
    const { commands, most } = busy();
    const units = ['a.yaml', 'b.yaml'].map((source) => ({
      source,
      body: [{ ...loop({ branches: true }, [node(`${source}#b`, 'BUSY')], [1, 2, 3, 4]), id: `${source}#loop` }],
    }));
    const { outcome } = await runCase({ commands, units, options: { workers: 2 } });
    expect(most()).toBe(3);
    expect(outcome.counts.passed).toBe(10);
  });

  test('yields what is collected in the order of the items, whichever ends first', async () => {
    const { of } = await runCase({
      body: [loop({ branches: true, collect: item }, [node('s', 'SLEEP', { ms: item })], [30, 10, 20])],
    });
    expect(of('a.yaml#loop').result).toEqual([30, 10, 20]);
  });

  test('begins no iteration after one that failed, and waits for those at work', async () => {
    const { lines, of } = await runCase({
      body: [
        loop({ branches: true }, [node('s', 'SLEEP', { ms: item }), node('f', 'FAIL')], [10, 20, 30, 40, 50]),
        node('after', 'GET'),
      ],
    });
    expect(lines.filter((line) => line.startsWith('a.yaml#s'))).toHaveLength(3);
    expect(of('a.yaml#loop').error).toMatchObject({ name: 'iterations-failed', message: '3 of 3 iterations failed.' });
  });

  test('ends when it is cancelled', async () => {
    const { lines } = await runCase({
      body: [loop({ branches: true, timeout_s: 1 }, [node('s', 'SLEEP', { ms: 700 })], [1, 2, 3, 4, 5, 6, 7, 8])],
    });
    expect(lines).toEqual([
      ...Array.from({ length: 3 }, (_, index) => `a.yaml#s${index === 0 ? '' : ` again ${index}`} passed`),
      ...Array.from({ length: 3 }, (_, index) => `a.yaml#s again ${index + 3} failed`),
      'a.yaml#loop failed',
    ]);
  });

  test('hides secrets that are items', async () => {
    const { of } = await runCase({
      commands: { KEEP: (_, ctx) => void ctx.variables.set('keys', ['abcd', 17], { secret: true }) },
      body: [
        node('keep', 'KEEP'),
        form(
          'loop',
          { kind: 'for_each', as: 'item', collect: item },
          { do: [node('get', 'GET', { value: item })] },
          { for_each: { ref: variable('keys') } },
        ),
      ],
    });
    expect(of('a.yaml#loop').result).toEqual(['***', '***']);
    expect(of('a.yaml#get').result).toBe('***');
  });

  test('goes round a hundred thousand times, with a number for each', async () => {
    const { outcome, records } = await runCase({
      body: [
        form(
          'loop',
          { kind: 'for_each', as: 'item' },
          { do: [node('get', 'GET', { value: item })] },
          { from: lit(1), to: lit(100_000) },
        ),
      ],
    });
    expect(outcome.counts.passed).toBe(100_001);
    expect(records[99_999]).toMatchObject({ id: 'a.yaml#get', occurrence: 99_999, result: 100_000 });
  });

  test('refuses to go round for ever', async () => {
    const { of } = await runCase({
      body: [
        form('loop', { kind: 'for_each', as: 'item' }, { do: [node('get', 'GET')] }, { from: lit(1), to: lit(1e15) }),
      ],
    });
    expect(of('a.yaml#loop').error).toMatchObject({ name: 'loop-does-not-end' });
  });
});

describe('until', () => {
  const done = compares({ ns: 'var', name: 'n' }, '==', 3);

  test('waits between attempts, and fails with the last values when its time is over', async () => {
    const { of, host } = await runCase({
      commands: { COUNT: (_, ctx) => void ctx.variables.set('n', Number(ctx.variables.get('n') ?? 0) + 10) },
      body: [
        form(
          'u',
          { kind: 'until', condition: done },
          { do: [node('c', 'COUNT')] },
          { max_s: lit(5), interval_s: lit(2) },
        ),
      ],
    });
    expect(host.clock.monotonic()).toBe(4000);
    expect(of('a.yaml#u').error).toMatchObject({ name: 'until-not-reached', expected: 3, actual: 30 });
  });

  test('cuts an attempt that takes longer than there is time', async () => {
    const { lines, of, host } = await runCase({
      body: [
        form(
          'u',
          { kind: 'until', condition: done },
          { do: [node('s', 'SLEEP', { ms: 60_000 }), node('set', 'SET', { name: 'n', value: 3 })] },
          { max_s: lit(5) },
        ),
      ],
    });
    expect(lines).toEqual(['a.yaml#s failed', 'a.yaml#set skipped: No attempt passed within 5 s.', 'a.yaml#u failed']);
    expect(of('a.yaml#u').error?.message).toBe('"n == 3" did not come to hold within 5 s.');
    expect(host.clock.monotonic()).toBe(5000);
  });

  test('ends at once when the run is stopped while it waits', async () => {
    const { lines } = await runCase({
      body: [form('u', { kind: 'until', condition: done }, { do: [node('g', 'GET')] }, { interval_s: lit(20) })],
      meanwhile: async ({ stop, host }) => {
        await host.clock.advance(1000);
        stop('enough');
      },
    });
    expect(lines).toEqual(['a.yaml#g passed', 'a.yaml#u failed']);
  });
});
