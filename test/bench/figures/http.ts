import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Figure } from '../figure.ts';
import type { Run } from '../measure.ts';
import { floor, nothing, svc } from '../paths.ts';
import { startServer } from '../start-server.ts';

const get = (url: string): unknown => [
  'AT_test_api_method',
  { http_method: 'get', test_url: `${url}/item`, result_check_dict: { status_code: 200 } },
];

function run(folder: string, body: unknown, extra: Partial<Run> = {}): Run {
  const file = join(folder, 'get.json');
  writeFileSync(file, JSON.stringify(body));
  return { args: [svc, 'run', file, '--record', join(folder, 'record.jsonl')], cwd: folder, ...extra };
}

function one(name: string, aim: number, extra: Partial<Run>): Figure {
  return {
    name,
    beside: 'node -e 0',
    aim,
    async prepare(folder) {
      const server = await startServer();
      return {
        subject: run(folder, { actions: [get(server.url)] }, extra),
        floor: nothing,
        close: () => server.close(),
      };
    },
  };
}

const cold = join(tmpdir(), `svc-bench-cold-${process.pid}`);

export const figures: readonly Figure[] = [
  one('svc run of one GET and an assertion, caches warm', 4.5, {}),
  one('svc run of one GET and an assertion, caches cold', 8, {
    env: { NODE_COMPILE_CACHE: cold },
    before: () => rmSync(cold, { recursive: true, force: true }),
  }),
  {
    name: '1,000 GETs in order, records on',
    beside: 'the same loop on bare undici',
    aim: 1.3,
    runs: 7,
    async prepare(folder) {
      const server = await startServer();
      const body = { actions: Array.from({ length: 1_000 }, () => get(server.url)) };
      return {
        subject: run(folder, body),
        floor: { args: [floor('get'), `${server.url}/item`, '1000', '1'] },
        close: () => server.close(),
      };
    },
  },
  {
    name: '1,000 GETs, 8 at once, records on',
    beside: 'the same loop on bare undici',
    aim: 1.3,
    runs: 7,
    async prepare(folder) {
      const server = await startServer();
      const nodes = Array.from({ length: 1_000 }, (_, index) => ({ id: `n${index}`, action: get(server.url) }));
      return {
        subject: run(folder, { meta: { max_workers: 8 }, nodes }),
        floor: { args: [floor('get'), `${server.url}/item`, '1000', '8'] },
        close: () => server.close(),
      };
    },
  },
];
