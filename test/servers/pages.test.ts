import { request } from 'node:http';

import { expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { openDashboard } from '#runtime/servers/dashboard/server.ts';
import { openMetricsServer } from '#runtime/servers/metrics-server.ts';

const { lookup, clock } = nodeHost();
const where = { host: '127.0.0.1', port: 0, allowReachable: false };

/** Status of an answer. */
function asked(port: number, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

it('pages answer to names of this machine alone', async () => {
  const around = { lookup, metrics: () => ({ text: 'up 1\n', contentType: 'text/plain' }) };
  const metrics = await openMetricsServer(where, around);
  const calls = { commands: () => Promise.resolve([]), transfers: () => [], jobs: () => [] };
  const dashboard = await openDashboard({ ...where, secret: null }, { lookup, clock, calls, token: () => '' });
  for (const [server, path] of [
    [metrics, '/metrics'],
    [dashboard, '/ui/registry'],
  ] as const) {
    expect(await asked(server.port, path, { host: `localhost:${server.port}` }), path).toBe(200);
    expect(await asked(server.port, path, { host: 'evil.example' }), path).toBe(403);
    await server.stop();
  }
});

it('a wrong secret of a dashboard is answered late', async () => {
  const calls = { commands: () => Promise.resolve([]), transfers: () => [], jobs: () => [] };
  const server = await openDashboard({ ...where, secret: 'right' }, { lookup, clock, calls, token: () => '' });
  const began = performance.now();
  expect(await asked(server.port, '/ui/health', { authorization: 'Bearer wrong' })).toBe(401);
  expect(performance.now() - began).toBeGreaterThan(450);
  expect(await asked(server.port, '/ui/health', { authorization: 'Bearer right' })).toBe(200);
  await server.stop();
});
