import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startApiServer } from '../commands/api/api-server.ts';
import type { Started } from '../commands/api/servers.ts';
import { svc, type Said } from './svc.ts';

let folder = '';
let server: Started;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-coverage-')));
  server = await startApiServer();
  const job = (id: string): string =>
    `content: { application/json: { schema: { type: object, required: [id, state], properties: { id: { type: ${id} }, state: { type: string } } } } }`;
  const paths = (id: string): string => `openapi: 3.1.0
paths:
  /jobs/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }, { name: deep, in: query, schema: { type: boolean } }]
      responses: { 200: { description: a job, ${job(id)} }, 404: { description: none } }
  /login: { post: { responses: { 200: { description: in } } } }
`;
  writeFileSync(join(folder, 'spec.yaml'), paths('integer'));
  writeFileSync(join(folder, 'wrong.yaml'), paths('string'));
  writeFileSync(join(folder, 'rows.csv'), 'path\n/jobs/7\n/jobs/7?deep=true\n');
  const steps = `- AT_test_api_method: { http_method: get, test_url: '${server.url}\${ROW.path}' }`;
  writeFileSync(
    join(folder, 'meta.yaml'),
    `meta: { dataset: rows.csv, openapi: { path: spec.yaml, report: seen.json } }\nactions:\n${steps}\n`,
  );
  writeFileSync(
    join(folder, 'demands.yaml'),
    `meta: { dataset: rows.csv, openapi: { path: spec.yaml, min_coverage: { statuses: 1 } } }\nactions:\n${steps}\n`,
  );
  const failing = `- AT_test_api_method: { http_method: get, test_url: '${server.url}/jobs/7', result_check_dict: { status_code: 201 } }`;
  writeFileSync(join(folder, 'failing.yaml'), `meta: { openapi: wrong.yaml }\nactions:\n${failing}\n`);
  writeFileSync(
    join(folder, 'plain.yaml'),
    `actions:\n- AT_test_api_method: { http_method: get, test_url: '${server.url}/jobs/7' }\n- AT_test_api_method: { http_method: get, test_url: '${server.url}/from', allow_redirects: true }\n`,
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const call = (...args: readonly string[]): Promise<Said> => svc(folder, args);

test('meta.openapi sees all rows behind teardown, and writes its report', async () => {
  expect(await call('run', 'meta.yaml')).toMatchObject({ exit: 0 });
  const seen = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as object;
  expect(seen).toMatchObject({
    ok: true,
    requests: 2,
    operations: { used: 1, all: 2, share: 0.5 },
    statuses: { used: 1, all: 3 },
    parameters: { used: 2, all: 2 },
    details: [
      {
        operation: 'GET /jobs/{id}',
        requests: 2,
        statuses: { '200': 2, '404': 0 },
        parameters: { 'path id': 2, 'query deep': 1 },
      },
      {},
    ],
  });
});

test('a minimum that is not reached, and an answer that the document forbids, fail the run', async () => {
  const demands = await call('run', 'demands.yaml');
  expect(demands).toMatchObject({
    exit: 1,
    stdout: expect.stringContaining('statuses: 33.3 % is below the minimum of 100 %'),
  });
  const failing = await call('run', 'failing.yaml');
  expect(failing.stdout).toContain('GET /jobs/7 -> 200: response body $.id: expected string, got integer');
});

test('--openapi looks at the whole run, redirects too', async () => {
  const said = await call('run', 'plain.yaml', 'meta.yaml', '--openapi', 'spec.yaml', '--coverage-report', 'all.json');
  expect(said).toMatchObject({ exit: 0, stdout: expect.stringContaining('[UNTESTED] POST /login') });
  expect(said.stdout).toContain('[UNKNOWN] GET /from');
  expect(JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8'))).toMatchObject({ requests: 5 });
  expect(await call('run', 'plain.yaml', '--openapi', 'wrong.yaml')).toMatchObject({ exit: 1 });
  expect(
    await call('run', 'plain.yaml', '--openapi', 'spec.yaml', '--min-coverage', 'operations=1', '--json'),
  ).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('operations: 50 % is below'),
  });
  expect(await call('run', 'plain.yaml', '--openapi', 'none.yaml')).toMatchObject({ exit: 2 });
  expect(await call('run', 'plain.yaml', '--openapi', 'spec.yaml', '--min-coverage', 'much')).toMatchObject({
    exit: 2,
  });
  expect(await call('run', 'plain.yaml', '--min-coverage', '1')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('"svc run" needs --openapi beside --min-coverage.'),
  });
  for (const wrong of ['operations=2', 'statuses=0.1,all=1'])
    expect(await call('run', 'plain.yaml', '--openapi', 'spec.yaml', '--min-coverage', wrong)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('media_types, operations, parameters, statuses'),
    });
});
