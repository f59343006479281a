import { describe, expect, test } from 'vitest';

import type { BlockOptions, BlockOutcome, Block } from '#runtime/kernel/ports.ts';
import type { CallNode, Node, Value } from '#schemas/types/plan.ts';

import { node, runCase, variable, type Case, type Ran, type TestCommands } from './harness.ts';

let told: BlockOutcome | undefined;

/** A command that runs its list as it is told to. */
const commands: TestCommands = {
  RUN: async ({ then, options }) => {
    const block: Block =
      then ??
      (() => {
        throw new Error('no list');
      })();
    told = await block.run(options);
    return { failed: told.failed };
  },
};

function runs(steps: readonly Node[], options: BlockOptions = {}, test: Case = {}): Promise<Ran> {
  return runCase({
    ...test,
    commands: { ...commands, ...test.commands },
    body: [
      node('0', 'RUN', { then: { block: steps }, options: options as never }),
      node('end', 'GET', { value: { ref: { ...variable('x'), default: 'unset' } } }),
    ],
  });
}

const inner = (index: number, command: string, args = {}, options: Partial<CallNode> = {}): Node =>
  node(`0.then.${index}`, command, args, options);

describe('a list of a parameter', () => {
  test('its steps have records of their own, before that of the step that holds them, and count', async () => {
    const { records, outcome } = await runs([
      inner(0, 'SET', { name: 'x', value: 1 }),
      inner(1, 'GET', { value: { ref: variable('x') } }),
    ]);
    expect(records.map(({ id, parent }) => [id, parent])).toEqual([
      ['a.yaml#0.then.0', 'a.yaml#0'],
      ['a.yaml#0.then.1', 'a.yaml#0'],
      ['a.yaml#0', undefined],
      ['a.yaml#end', undefined],
    ]);
    expect(records[3]?.result).toBe(1);
    expect(outcome.counts.passed).toBe(4);
    expect(told).toEqual({
      failed: 0,
      results: [null, 1],
      steps: [
        { id: '0', command: 'SET', status: 'passed', duration_ms: 0 },
        { id: '1', command: 'GET', status: 'passed', result: 1, duration_ms: 0 },
      ],
    });
  });

  test('a failure does not end the list, but fails the step that holds it, with the first one as cause', async () => {
    const { of, lines } = await runs([
      inner(0, 'FAIL', { text: 'first' }),
      inner(1, 'FAIL', { text: 'second' }),
      inner(2, 'GET', { value: 1 }),
    ]);
    expect(lines.slice(0, 4)).toEqual([
      'a.yaml#0.then.0 failed',
      'a.yaml#0.then.1 failed',
      'a.yaml#0.then.2 passed',
      'a.yaml#0 failed',
    ]);
    expect(of('a.yaml#0')).toMatchObject({
      result: { failed: 2 },
      error: {
        code: 'SVC80032',
        message: '2 of the steps in its list failed.',
        cause: { message: 'FAIL broke: first' },
      },
    });
  });

  test('a step of its own that says `stop` ends it', async () => {
    const { lines } = await runs([inner(0, 'FAIL', {}, { on_failure: 'stop' }), inner(1, 'GET', { value: 1 })]);
    expect(lines[1]).toBe('a.yaml#0.then.1 skipped: "a.yaml#0.then.0" failed, and a failure ends this body');
  });

  test('one that runs again has occurrences', async () => {
    const twice: TestCommands = {
      TWICE: async ({ then }) => {
        const block: Block =
          then ??
          (() => {
            throw new Error('no list');
          })();
        await block.run();
        await block.run();
      },
    };
    const { lines } = await runCase({
      commands: twice,
      body: [node('0', 'TWICE', { then: { block: [inner(0, 'GET', { value: 1 })] } })],
    });
    expect(lines).toEqual(['a.yaml#0.then.0 passed', 'a.yaml#0.then.0 again 1 passed', 'a.yaml#0 passed']);
  });

  test('a time limit of the holder reaches its steps', async () => {
    const { records } = await runCase({
      commands,
      body: [
        node(
          '0',
          'RUN',
          { then: { block: [inner(0, 'SLEEP', { ms: 60_000 }), inner(1, 'GET', { value: 1 })] } },
          { timeout_s: 5 },
        ),
      ],
    });
    expect(records.map(({ id, status, error }) => [id, status, error?.code])).toEqual([
      ['a.yaml#0.then.0', 'failed', 'SVC80002'],
      ['a.yaml#0.then.1', 'skipped', undefined],
      ['a.yaml#0', 'failed', 'SVC80002'],
    ]);
  });

  test('an event is seen inside', async () => {
    const { of } = await runs([inner(0, 'GET', { value: { ref: { ns: 'event', name: 'path' } } })], {
      event: { path: '/x/y' },
    });
    expect(of('a.yaml#0.then.0').result).toBe('/x/y');
  });

  test('in parallel, each step in a branch of its own; afterwards their writes are seen', async () => {
    const { host, of } = await runs(
      [
        inner(0, 'SLEEP', { ms: 1000 }),
        inner(1, 'SLEEP', { ms: 1000 }),
        inner(2, 'SET', { name: 'x', value: 'branch' }),
        inner(3, 'GET', { value: { ref: { ...variable('x'), default: 'unset' } } }),
      ],
      { order: { kind: 'parallel', workers: 4 } },
      { unit: { order: { kind: 'graph', failed: 'stop', max_workers: 4 } }, parts: {} },
    );
    expect(host.clock.monotonic()).toBe(1000);
    expect(of('a.yaml#0.then.3').result).toBe('unset');
  });

  test('in parallel also where the body itself is a list', async () => {
    const { host } = await runs(
      [inner(0, 'SLEEP', { ms: 1000 }), inner(1, 'SLEEP', { ms: 1000 }), inner(2, 'SLEEP', { ms: 1000 })],
      { order: { kind: 'parallel', workers: 2 } },
    );
    expect(host.clock.monotonic()).toBe(2000);
  });

  test('as a graph', async () => {
    await runs([node('0.then#a', 'FAIL'), { ...node('0.then#b', 'GET', { value: 1 }), after: ['0.then#a'] }], {
      order: { kind: 'graph', workers: 2, failed: 'skip-dependents' },
    });
    expect(told?.steps.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ['a', 'failed', undefined],
      ['b', 'skipped', '"0.then#a" failed, on which it depends'],
    ]);
  });

  test('a dry run inside a real one calls nothing', async () => {
    const { lines, of } = await runs([inner(0, 'FAIL'), inner(1, 'SET', { name: 'x', value: 2 })], { dryRun: true });
    expect(lines.slice(0, 3)).toEqual(['a.yaml#0.then.0 dry-run', 'a.yaml#0.then.1 dry-run', 'a.yaml#0 passed']);
    expect(of('a.yaml#end').result).toBe('unset');
  });
});

describe('a background list', () => {
  test('knows whether its steps ask for the event, those of lists in it too, unless their events are their own', async () => {
    const asked: boolean[] = [];
    const watch: TestCommands = {
      WATCH: {
        lists: { then: 'background' },
        does: ({ then }) => void asked.push((then as unknown as Block).asksForEvent),
      },
      IF: { lists: { then: 'run' }, does: () => null },
    };
    const event: Value = { text: ['at ', { ns: 'event', name: 'path' }] };
    const holding = (...nodes: readonly Node[]): Node =>
      node(String(asked.length), 'WATCH', { then: { block: nodes } });
    for (const inside of [
      inner(0, 'GET', { value: 1 }),
      inner(0, 'GET', { value: event }),
      inner(0, 'IF', { then: { block: [inner(1, 'GET', { value: event })] } }),
      inner(0, 'WATCH', { then: { block: [inner(1, 'GET', { value: event })] } }),
    ]) {
      await runCase({ commands: watch, body: [holding(inside)] });
    }
    expect(asked).toEqual([false, true, true, false]);
  });

  test('lets somebody hear of what its steps do to files', async () => {
    const heard: string[] = [];
    const commands: TestCommands = {
      HOLD: {
        lists: { then: 'run' },
        does: async ({ then }) => {
          const onWrite = {
            before: async (path: string) => void heard.push(`before ${path}`),
            after: async (path: string) => void heard.push(`after ${path}`),
          };
          await (then as unknown as Block).run({ onWrite });
        },
      },
      FILES: {
        effects: ['fs-write'],
        does: async (_, { files }) => {
          await files.write('/work/a', 'a');
          await files.copy('/work/a', '/work/b');
          await files.rename('/work/b', '/work/c');
          await files.read('/work/c');
          await files.remove('/work/nothing').catch(() => undefined);
        },
      },
    };
    await runCase({
      commands,
      body: [node('0', 'HOLD', { then: { block: [inner(0, 'FILES')] } }), node('1', 'FILES')],
    });
    const pairs = ['a', 'b'].flatMap((name) => [`before /work/${name}`, `after /work/${name}`]);
    expect(heard).toEqual([
      ...pairs,
      'before /work/b',
      'before /work/c',
      'after /work/b',
      'after /work/c',
      'before /work/nothing',
      'after /work/nothing',
    ]);
  });

  test('that was begun inside another list has nothing of the calls around it, of what is tried again or heard there', async () => {
    const heard: string[] = [];
    const seen: unknown[] = [];
    const commands: TestCommands = {
      HOLD: {
        lists: { then: 'run' },
        does: async ({ then }) => {
          const hears = { before: async (path: string) => void heard.push(path), after: async () => undefined };
          await (then as unknown as Block).run({
            onWrite: hears,
            retry: { wait: (failure) => (heard.push(`asked about ${failure.message}`), undefined) },
          });
        },
      },
      WATCH: {
        lists: { then: 'background' },
        does: ({ then }, ctx) => void ctx.clock.timer(5000, () => void (then as unknown as Block).run()),
      },
      LOOK: {
        effects: ['fs-write'],
        does: async (_, { step, files }) => {
          seen.push(step.around?.map(({ command }) => command));
          await files.write('/work/a', 'a');
          throw new Error('no');
        },
      },
    };
    await runCase({
      commands,
      body: [
        node('0', 'HOLD', { then: { block: [inner(0, 'WATCH', { then: { block: [inner(1, 'LOOK')] } })] } }),
        node('1', 'SLEEP', { ms: 10_000 }),
      ],
    });
    expect([seen, heard]).toEqual([[['WATCH']], []]);
  });

  test('runs after its step has ended, while the run stays, and its failures fail the run', async () => {
    const watch: TestCommands = {
      WATCH: {
        lists: { then: 'background' },
        does: ({ then }, ctx) => {
          const block: Block =
            then ??
            (() => {
              throw new Error('no list');
            })();
          ctx.clock.timer(5000, () => void block.run({ event: { path: 'one' } }));
          ctx.clock.timer(9000, () => void block.run({ event: { path: 'two' } }));
        },
      },
    };
    const { lines, outcome } = await runCase({
      commands: watch,
      body: [
        node('0', 'WATCH', { then: { block: [inner(0, 'FAIL', { text: { ref: { ns: 'event', name: 'path' } } })] } }),
        node('1', 'SLEEP', { ms: 10_000 }),
      ],
    });
    expect(lines).toEqual([
      'a.yaml#0 passed',
      'a.yaml#0.then.0 failed',
      'a.yaml#0.then.0 again 1 failed',
      'a.yaml#1 passed',
    ]);
    expect(outcome.status).toBe('failed');
  });
});
