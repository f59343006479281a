import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { compile } from '#compiler/api.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { start } from '#runtime/kernel/run.ts';

const ROUNDS = process.env['SVC_TEST_FULL'] ? 100_000 : 20_000;

/** Bytes that are held when garbage has been collected. */
function held(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test(`${ROUNDS} rounds of a loop hold no more than its first ones`, { timeout: 120_000 }, async () => {
  const actions = {
    actions: [
      {
        for_each: { from: 1, to: ROUNDS },
        do: [
          { AT_set_variable: ['last', 'round {{item}}'] },
          { if: 'item > 0', then: [{ AT_set_variable: ['seen', '{{last}}'] }] },
        ],
      },
    ],
  };
  const host = nodeHost({ cwd: '/', env: {} });
  const compilation = await compile([{ path: '<stdin>', content: JSON.stringify(actions) }], { root: '/' }, host);
  expect(compilation.diagnostics).toEqual([]);
  const program = programOfPlan(compilation.seal(), compilation.places(), { gates: {} });
  let steps = 0;
  let early = 0;
  let late = 0;
  const event = ({ kind }: { readonly kind: string }): void => {
    if (kind !== 'step-finished') return;
    steps += 1;
    if (steps === ROUNDS / 2) early = held();
    if (steps === ROUNDS * 3) late = held();
  };
  const { status, counts } = await start(program, { root: '/', reporters: [{ event }] }, host).outcome;
  expect({ status, passed: counts.passed }).toEqual({ status: 'passed', passed: ROUNDS * 4 - ROUNDS + 1 });
  expect(late - early).toBeLessThan(2 * 1024 * 1024);
});
