import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { MetricsRegistry } from '#runtime/services/metrics/registry.ts';

import { freePort } from '../../../fixtures/free-port.ts';
import { lacks } from '../../../fixtures/programs.ts';

type Found = readonly {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}[];

test.skipIf(lacks('prometheus'))(
  'a real server scrapes it and finds what was counted',
  async () => {
    const registry = new MetricsRegistry();
    const odd = 'odd "\\\n é';
    for (const [action, seconds, ok] of [
      ['FA_a', 0.02, true],
      ['FA_a', 0.3, true],
      ['FA_a', 70, false],
      [odd, 0.001, true],
    ] as const)
      registry.record(action, seconds, ok);
    const { text, contentType } = registry.render();
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': contentType }).end(text),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const folder = mkdtempSync(join(tmpdir(), 'svc-metrics-'));
    writeFileSync(
      join(folder, 'prometheus.yml'),
      `scrape_configs: [{ job_name: svc, scrape_interval: 200ms, scrape_timeout: 200ms, static_configs: [{ targets: ['127.0.0.1:${(server.address() as AddressInfo).port}'] }] }]\n`,
    );
    const port = await freePort();
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
    try {
      const counters = await eventually(async () => {
        const found = await ask(port, 'svc_actions_total');
        return found.length === 3 ? found : undefined;
      });
      const shown = counters.map(({ metric, value }) => [metric['action'], metric['status'], value[1]]);
      expect(shown).toHaveLength(3);
      expect(shown).toEqual(
        expect.arrayContaining([
          ['FA_a', 'ok', '2'],
          ['FA_a', 'error', '1'],
          [odd, 'ok', '1'],
        ]),
      );
      const buckets = await ask(port, 'svc_action_duration_seconds_bucket{action="FA_a"}');
      expect(Object.fromEntries(buckets.map(({ metric, value }) => [metric['le'], value[1]]))).toMatchObject({
        '0.01': '0',
        '0.025': '1',
        '0.25': '1',
        '0.5': '2',
        '60.0': '2',
        '+Inf': '3',
      });
      expect((await ask(port, 'svc_action_duration_seconds_sum{action="FA_a"}'))[0]?.value[1]).toBe('70.32');
      expect(
        (await ask(port, 'histogram_quantile(0.5, svc_action_duration_seconds_bucket{action="FA_a"})')).length,
      ).toBe(1);
    } finally {
      prometheus.kill('SIGKILL');
      await once(prometheus, 'exit');
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);

async function ask(port: number, query: string): Promise<Found> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`);
  return ((await answer.json()) as { data: { result: Found } }).data.result;
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let count = 0; count < 300; count++) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it never came');
}
