import { expect, test } from 'vitest';

import type { Block, BlockOptions } from '#runtime/kernel/ports.ts';
import type { CallNode, Node } from '#schemas/types/plan.ts';

import { node, runCase, type Ran, type TestCommands } from './harness.ts';

/** Fails until it was called often enough. */
function failing(times: number): TestCommands {
  let left = times;
  return {
    FLAKY: () => {
      if (left-- > 0) throw new Error(`${left} to go`);
    },
  };
}

function runs(
  options: (then: Block) => BlockOptions,
  steps: readonly Node[],
  commands: TestCommands = {},
  holder: Partial<CallNode> = {},
): Promise<Ran> {
  const guard: TestCommands = {
    GUARD: async ({ then }) => {
      const block: Block =
        then ??
        (() => {
          throw new Error('no list');
        })();
      await block.run(options(block));
    },
  };
  return runCase({
    commands: { ...guard, ...commands },
    body: [node('0', 'GUARD', { then: { block: steps } }, holder)],
  });
}

const inner = (index: number, command: string, args = {}, options: Partial<CallNode> = {}): Node =>
  node(`0.then.${index}`, command, args, options);

test('a guard has a failed step tried again: one record that tells the tries, and what passed before is not repeated', async () => {
  const waits: string[] = [];
  const { lines, records, host, outcome, events } = await runs(
    () => ({ retry: { wait: (failure) => waits.push(failure.message) * 1000 } }),
    [inner(0, 'GET', { value: 1 }), inner(1, 'FLAKY'), inner(2, 'GET', { value: 2 })],
    failing(2),
  );
  expect(lines).toEqual([
    'a.yaml#0.then.0 passed',
    'a.yaml#0.then.1 passed',
    'a.yaml#0.then.2 passed',
    'a.yaml#0 passed',
  ]);
  expect(records[1]).toMatchObject({ attempts: 3, flaky: true });
  expect(host.clock.monotonic()).toBe(3000);
  expect(waits).toEqual(['FLAKY broke: 1 to go', 'FLAKY broke: 0 to go']);
  expect(events.filter(({ kind }) => kind === 'attempt-failed').length).toBe(2);
  expect(outcome.status).toBe('passed');
});

test('a guard that says no leaves the step failed; one with a retry of its own is not asked about', async () => {
  let asked = 0;
  const { lines, records } = await runs(
    () => ({ retry: { wait: () => void asked++ } }),
    [inner(0, 'FAIL'), inner(1, 'FLAKY', {}, { retry: { max_attempts: 2, interval_s: 1 } })],
    failing(1),
  );
  expect(lines.slice(0, 2)).toEqual(['a.yaml#0.then.0 failed', 'a.yaml#0.then.1 passed']);
  expect(records[1]?.attempts).toBe(2);
  expect(asked).toBe(1);
});

test('a guard reaches steps of lists inside, and never repeats a step whose list has failures on record', async () => {
  let left = 1;
  const nested: TestCommands = { NEST: async ({ then }) => void (await (then as unknown as Block).run()) };
  const { lines } = await runs(
    () => ({ retry: { wait: () => (left-- > 0 ? 0 : undefined) } }),
    [inner(0, 'NEST', { then: { block: [node('0.then.0.then.0', 'FLAKY')] } })],
    { ...nested, ...failing(5) },
  );
  expect(lines).toEqual(['a.yaml#0.then.0.then.0 failed', 'a.yaml#0.then.0 failed', 'a.yaml#0 failed']);
});

test('a guard may run the steps before the failed one once more', async () => {
  const { lines, records } = await runs(
    (then) => ({ retry: { wait: () => 0, before: async (index) => void (await then.run({ end: index })) } }),
    [inner(0, 'GET', { value: 1 }), inner(1, 'FLAKY')],
    failing(2),
  );
  expect(lines).toEqual([
    'a.yaml#0.then.0 passed',
    'a.yaml#0.then.0 again 1 passed',
    'a.yaml#0.then.0 again 2 passed',
    'a.yaml#0.then.1 passed',
    'a.yaml#0 passed',
  ]);
  expect(records.at(-2)?.attempts).toBe(3);
});

test('a stop ends the wait for another try', async () => {
  const { lines, host } = await runs(
    () => ({ retry: { wait: () => 60_000 } }),
    [inner(0, 'FAIL'), inner(1, 'GET', { value: 1 })],
    {},
    { timeout_s: 5 },
  );
  expect(host.clock.monotonic()).toBe(5000);
  expect(lines.map((line) => line.replace(/:.*/, ''))).toEqual([
    'a.yaml#0.then.0 failed',
    'a.yaml#0.then.1 skipped',
    'a.yaml#0 failed',
  ]);
});

test('the calls around a list are told to all steps within', async () => {
  const told: unknown[] = [];
  const commands: TestCommands = {
    NEST: async ({ then }) => void (await (then as unknown as Block).run()),
    TELL: (_, ctx) => void told.push(ctx.step.around?.map(({ id }) => id)),
  };
  await runs(
    () => ({}),
    [inner(0, 'NEST', { then: { block: [node('0.then.0.then.0', 'TELL')] } }), inner(1, 'TELL')],
    commands,
  );
  await runCase({ commands, body: [node('0', 'TELL')] });
  expect(told).toEqual([['a.yaml#0', 'a.yaml#0.then.0'], ['a.yaml#0'], undefined]);
});
