import { join } from 'node:path';

import { expect, test } from 'vitest';

import { compile } from '#compiler/api.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { run } from '#runtime/kernel/run.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { root } from '../built.ts';

test('the example with commands of its own has no finding, and passes', async () => {
  const folder = join(root, 'examples/own-commands');
  const host = nodeHost();
  const compilation = await compile([{ path: join(folder, 'order.yaml') }], { root: folder }, host);
  expect(compilation.diagnostics).toEqual([]);
  const records: RunRecord[] = [];
  const program = programOfPlan(compilation.seal(), compilation.places(), { gates: {} });
  const outcome = await run(
    program,
    {
      root: folder,
      records: { add: (record) => void records.push(record), flush: () => undefined, close: () => undefined },
    },
    host,
  );
  expect(outcome).toMatchObject({ status: 'passed', counts: { passed: 3 } });
  expect(records.map(({ command, result }) => [command, result ?? null])).toEqual([
    ['AT_add_package_to_executor', null],
    ['prices_of', { net: 36, gross: 45 }],
    ['prices_text', '45.00 EUR'],
  ]);
});
