import { execFile } from 'node:child_process';
import path from 'node:path';

import { expect, test } from 'vitest';

import type { LoadPlan, LoadResult } from '#schemas/types/load.ts';

import { built } from '../built.ts';
import { startHttp } from '../commands/api/servers.ts';

test('the load engine of the package runs a plan', { timeout: 300_000 }, async () => {
  const file = path.join(await built(), 'dist/runtime/adapters/load/engine/main.js');
  await using server = await startHttp((_, response) => response.end('ok'));
  const plan: LoadPlan = {
    tasks: [{ name: '/', method: 'GET', url: `${server.url}/`, headers: {}, weight: 1, timeout_ms: 5000 }],
    mode: 'sequence',
    model: {
      kind: 'closed',
      stages: [
        { users: 1, seconds: 0 },
        { users: 1, seconds: 0.2 },
      ],
    },
    grace_ms: 1000,
    seed: 1,
  };
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(process.execPath, [file], (error, stdout) => (error ? reject(error) : resolve(stdout)));
    child.stdin?.end(JSON.stringify(plan));
  });
  const { totals } = JSON.parse(output) as LoadResult;
  expect(totals.requests).toBeGreaterThan(0);
  expect(totals.failures).toBe(0);
});
