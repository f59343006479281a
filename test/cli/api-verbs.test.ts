import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startHttp } from '../commands/api/servers.ts';
import type { Started } from '../commands/api/servers.ts';
import { startSvc, svc } from './svc.ts';

let folder = '';
let server: Started;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-api-verbs-')));
  server = await startHttp((request, response) =>
    response
      .writeHead(request.url?.startsWith('/jobs') ? 200 : 404, { 'content-type': 'application/json' })
      .end(request.url === '/jobs' ? '{"id": 1}' : '{}'),
  );
  writeFileSync(
    join(folder, 't.yaml'),
    `actions:\n- AT_test_api_method: { http_method: get, test_url: '${server.url}/jobs' }\n`,
  );
  const operation = { get: { responses: { 200: { description: 'a job' } } } };
  writeFileSync(
    join(folder, 'spec.json'),
    JSON.stringify({ openapi: '3.1.0', paths: { '/jobs': operation, '/other': operation } }),
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const call = (...args: readonly string[]): ReturnType<typeof svc> => svc(folder, args);

test('a contract is recorded, verified and compared', async () => {
  const names = ['--consumer', 'web', '--provider', 'jobs', '-o', 'web-jobs.json'];
  expect(await call('contract', 'record', '--run', 't.yaml', ...names)).toMatchObject({
    stdout: 'web-jobs.json\n',
    exit: 0,
  });
  expect(await call('contract', 'verify', 'web-jobs.json', '--base-url', server.url)).toMatchObject({
    stdout: 'Contract of web with jobs\n[PASS] GET /jobs -> 200\ninteractions that hold: 1 of 1\n',
    exit: 0,
  });
  expect(await call('contract', 'verify', 'web-jobs.json', '--base-url', `${server.url}/else`)).toMatchObject({
    stdout: expect.stringMatching(/\[FAIL\] GET \/jobs -> 200\n {2}.*\ninteractions that hold: 0 of 1\n$/s),
    exit: 1,
  });
  expect(await call('contract', 'compare', 'web-jobs.json', 'spec.json')).toMatchObject({
    stdout: 'Contract of web with jobs\ninteractions that fit: 1 of 1\n',
    exit: 0,
  });
  expect(await call('contract', 'verify', 'web-jobs.json', '--base-url', server.url, '--timeout', '0.5')).toMatchObject(
    { exit: 0 },
  );
  expect(await call('contract', 'verify', 'none.json', '--base-url', server.url)).toMatchObject({ exit: 2 });
  expect(await call('contract', 'compare', 'web-jobs.json', 'none.json')).toMatchObject({ exit: 2 });
  expect(await call('contract', 'record', '--run', 't.yaml')).toMatchObject({
    stderr: expect.stringContaining('needs --consumer'),
    exit: 2,
  });
});

test('provider states are set up by a function of a module', async () => {
  const interaction = {
    description: 'a job',
    providerState: 'there is a job',
    request: { method: 'GET', path: '/jobs' },
    response: { status: 200 },
  };
  writeFileSync(
    join(folder, 'states.json'),
    JSON.stringify({ consumer: { name: 'web' }, provider: { name: 'jobs' }, interactions: [interaction] }),
  );
  writeFileSync(
    join(folder, 'states.mjs'),
    `import { writeFileSync } from 'node:fs';
export function setUp(state) { writeFileSync(new URL('state.txt', import.meta.url), state); }
export function refuse() { throw new Error('no such state'); }
`,
  );
  const verify = ['contract', 'verify', 'states.json', '--base-url', server.url, '--state-handler'];
  expect(await call(...verify, './states.mjs#setUp')).toMatchObject({ exit: 0 });
  expect(readFileSync(join(folder, 'state.txt'), 'utf8')).toBe('there is a job');
  expect(await call(...verify, './states.mjs#refuse')).toMatchObject({
    exit: 1,
    stdout: expect.stringContaining('no such state'),
  });
});

test('a document is recovered, and the committed one is checked', async () => {
  expect(await call('openapi', '--run', 't.yaml', '-o', 'found.yaml')).toMatchObject({
    stdout: 'found.yaml\n',
    exit: 0,
  });
  expect(readFileSync(join(folder, 'found.yaml'), 'utf8')).toContain('/jobs:');
  expect(await call('spec', 'check', 'spec.json', '--run', 't.yaml', '--min-coverage', '0.5')).toMatchObject({
    exit: 0,
  });
  const low = await call('spec', 'check', 'spec.json', '--run', 't.yaml', '--min-coverage', '0.6', '--json');
  expect([low.exit, (JSON.parse(low.stdout) as { coverage: number }).coverage]).toEqual([1, 0.5]);
  expect(await call('spec', 'check', 'spec.json')).toMatchObject({ exit: 2 });
  expect(await call('spec', 'check', 'none.json', '--run', 't.yaml')).toMatchObject({ exit: 2 });
});

test('a document that goes nowhere is printed, and one without operations is none', async () => {
  const { stdout, exit } = await call('openapi', '--run', 't.yaml', '--api-version', '7');
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, { info: { version: '7' }, paths: { '/jobs': {} } }]);
  expect(await call('openapi', '--run', 't.yaml', '--api-version', '7', '-o', '-')).toMatchObject({ stdout });
  writeFileSync(
    join(folder, 'all-fail.yaml'),
    `- AT_test_api_method: { http_method: get, test_url: '${server.url}/none' }\n`,
  );
  expect(await call('openapi', '--run', 'all-fail.yaml', '-o', 'empty.json')).toMatchObject({
    stdout: '',
    stderr: expect.stringMatching(/^failed: .*\nerror\[SVC90168\]/),
    exit: 1,
  });
  expect(existsSync(join(folder, 'empty.json')) || existsSync(join(folder, 'openapi.json'))).toBe(false);
});

test('what runs first may be a folder or a pattern, and must be there', async () => {
  mkdirSync(join(folder, 'first', 'deep'), { recursive: true });
  copyFileSync(join(folder, 't.yaml'), join(folder, 'first', 'deep', 't.yaml'));
  writeFileSync(join(folder, 'first', 'readme.json'), '{}');
  for (const path of ['first', 'first/*/*.yaml'])
    expect(await call('spec', 'check', 'spec.json', '--run', path)).toMatchObject({
      stdout: expect.stringContaining('(1 of 2 operations)'),
      exit: 0,
    });
  mkdirSync(join(folder, 'nothing'));
  const names = ['--consumer', 'web', '--provider', 'jobs', '-o', 'none.json'];
  for (const path of ['missing.yaml', 'nothing', 'missing/*.yaml', '-']) {
    expect(await call('spec', 'check', 'spec.json', '--run', path)).toMatchObject({ exit: 2 });
    expect(await call('openapi', '--run', path)).toMatchObject({ exit: 2, stdout: '' });
    expect(await call('trend', 'record', '--run', path)).toMatchObject({ exit: 2 });
    expect(await call('contract', 'record', '--run', path, ...names)).toMatchObject({ exit: 2 });
  }
});

test('an output that is read as well is refused', async () => {
  const kept = readFileSync(join(folder, 't.yaml'), 'utf8');
  for (const words of [
    ['run', 't.yaml', '--record', 't.yaml'],
    ['run', 't.yaml', '--reporter', 'junit=t.yaml'],
    ['load', 'convert', '--actions', 't.yaml', '-o', './t.yaml'],
    ['openapi', '--run', 't.yaml', '-o', 't.yaml'],
    ['spec', 'check', 'spec.json', '--run', 't.yaml', '--missing-actions', 't.yaml'],
    ['spec', 'check', 'spec.json', '--run', 't.yaml', '--inferred-spec', 'spec.json'],
    ['run', 't.yaml', '--openapi', 'spec.json', '--coverage-report', 'spec.json'],
    ['contract', 'record', '--run', 't.yaml', '--consumer', 'a', '--provider', 'b', '-o', 't.yaml'],
    ['trend', 'report', '--db', 't.yaml', '-o', 't.yaml'],
  ])
    expect(await call(...words)).toMatchObject({ stderr: expect.stringContaining('SVC90169'), exit: 2 });
  expect(readFileSync(join(folder, 't.yaml'), 'utf8')).toBe(kept);
});

test('two outputs with one file are refused, but devices take both', async () => {
  const twice = await call('run', 't.yaml', '--reporter', 'junit=out.xml', '--record', './out.xml');
  expect(twice).toMatchObject({ stderr: expect.stringContaining('SVC90171'), exit: 2 });
  expect(existsSync(join(folder, 'out.xml'))).toBe(false);
  const devices = await call('run', 't.yaml', '--reporter', 'junit=/dev/null', '--record', '/dev/null');
  expect(devices.stderr).not.toContain('SVC90171');
});

test('times are stored and judged', async () => {
  expect(await call('trend', 'record', '--run', 't.yaml', '--openapi', 'spec.json', '--label', 'b1')).toMatchObject({
    stdout: expect.stringMatching(/^run b1: times of \d+ endpoints? stored\n$/),
    exit: 0,
  });
  expect(await call('trend', 'check')).toMatchObject({
    stdout: expect.stringContaining('[insufficient_history] GET /jobs'),
    exit: 0,
  });
  expect(await call('trend', 'report', '-o', 'trend.html')).toMatchObject({ stdout: 'trend.html\n', exit: 0 });
  expect(await call('trend', 'check', '--threshold', 'high')).toMatchObject({ exit: 2 });
  for (const more of [[], ['--json']])
    expect(await call('trend', 'check', '--db', 'mistyped.sqlite', ...more)).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('SVC90170'),
      exit: 2,
    });
});

test('times are stored by the path templates of the document that is named, also those of a file beside it', async () => {
  const get = { get: { responses: { 200: { description: 'a job' } } } };
  writeFileSync(join(folder, 'paths.json'), JSON.stringify({ one: get }));
  const paths = { '/jobs/{id}': { $ref: 'paths.json#/one' }, '/jobs': get };
  writeFileSync(join(folder, 'templates.json'), JSON.stringify({ openapi: '3.1.0', paths }));
  const step = (id: number): string =>
    `- AT_test_api_method: { http_method: get, test_url: '${server.url}/jobs/${id}' }`;
  writeFileSync(join(folder, 'jobs.yaml'), `actions:\n${step(7)}\n${step(8)}\n`);
  const record = ['trend', 'record', '--run', 'jobs.yaml', '--db', 'templates.db', '--openapi'];
  expect(await call(...record, 'templates.json')).toMatchObject({
    stdout: expect.stringMatching(/times of 1 endpoint stored/),
    exit: 0,
  });
  expect(await call('trend', 'check', '--db', 'templates.db')).toMatchObject({
    stdout: expect.stringContaining('GET /jobs/{id}'),
  });
  writeFileSync(join(folder, 'none.json'), '[]');
  expect(await call(...record, 'none.json')).toMatchObject({ stderr: expect.stringContaining('none.json') });
});

test('load is put, and a limit decides', async () => {
  expect(await call('load', 'convert', '--actions', 't.yaml', '-o', 'jobs.js')).toMatchObject({
    stdout: 'jobs.js\n',
    exit: 0,
  });
  const run = ['load', 'run', '--actions', 't.yaml', '--users', '1', '--time', '1'];
  expect(await call(...run)).toMatchObject({
    stdout: expect.stringContaining(' 0 failed'),
    stderr: expect.stringMatching(/^load: \d+ s, \d+ requests, 0 failed$/m),
    exit: 0,
  });
  expect(await call(...run, '--max-p95-ms', '0', '--min-requests', '1000000')).toMatchObject({
    stdout: expect.stringMatching(/\[FAIL\] .* at least 1000000 must\n\[FAIL\] .* 95th/),
    exit: 1,
  });
  const stages = ['load', 'run', '--actions', 't.yaml', '--stage', '10/s:0', '--stage', '10/s:1'];
  expect(await call(...stages, '--max-p99-ms', '0', '--min-requests-per-second', '100000')).toMatchObject({
    stdout: expect.stringMatching(/^10 requests,.*\n.*\n\[FAIL\] .* 99th .*\n\[FAIL\] .* at least 100000 must\n/),
    exit: 1,
  });
  expect(await call(...stages, '--stage', 'ten')).toMatchObject({ exit: 2, stderr: expect.stringContaining('"ten"') });
  const script = ['load', 'convert', '--actions', 't.yaml', '-o', 'jobs.py'];
  expect(await call(...script, '--user', 'http_user', '--mode', 'weighted')).toMatchObject({ exit: 0 });
  expect(readFileSync(join(folder, 'jobs.py'), 'utf8')).toContain('(HttpUser)');
});

test('load that is interrupted keeps what ran until then, and counts nothing that was still under way', async () => {
  await using hanging = await startHttp((request, response) => void (request.url === '/jobs' && response.end()));
  const get = (path: string): string =>
    `- AT_test_api_method: { http_method: get, test_url: '${hanging.url}${path}', timeout: 60 }\n`;
  const own = mkdtempSync(join(folder, 'stopped-'));
  writeFileSync(join(own, 'l.yaml'), `actions:\n${get('/jobs')}${get('/never')}`);
  const { child, ended } = startSvc(own, ['load', 'run', '--actions', 'l.yaml', '--users', '2', '--time', '60']);
  await new Promise<void>((resolve) =>
    child.stderr?.on('data', (text) => void (String(text).includes('load: 1 s') && child.kill('SIGINT') && resolve())),
  );
  const { stderr, exit } = await ended;
  expect(stderr).toMatch(/^load: it was stopped after \d+\.\d of 60 s: 2 requests, .* 0 failed\np50 /m);
  expect(exit).toBe(130);
  const [kept = ''] = readdirSync(join(own, 'svc-load'));
  const at = (name: string): string => readFileSync(join(own, 'svc-load', kept, name), 'utf8');
  expect(JSON.parse(at('summary.json'))).toMatchObject({ totals: { requests: 2, failures: 0 } });
  expect(at('report.html')).toContain('it was stopped after');
}, 60_000);

test('load that fails says of each address what it was answered', async () => {
  const get = (url: string): string => `- AT_test_api_method: { http_method: get, test_url: '${url}' }\n`;
  const closed = await startHttp((_, response) => response.end());
  await closed[Symbol.asyncDispose]();
  writeFileSync(join(folder, 'lost.yaml'), `actions:\n${get(`${server.url}/none`)}${get(`${closed.url}/gone`)}`);
  const run = ['load', 'run', '--actions', 'lost.yaml', '--users', '1', '--time', '1', '--max-failure-rate', '0'];
  const { stdout, exit } = await call(...run);
  expect(stdout).toMatch(/^ {2}GET \/none: (\d+) failed \(\1 times status 404\)$/m);
  expect(stdout).toMatch(/^ {2}GET \/gone: (\d+) failed \(\1 times ECONNREFUSED\)$/m);
  expect(exit).toBe(1);
});

test('requests that fail in files that run first are told beside the result', async () => {
  writeFileSync(
    join(folder, 'half.yaml'),
    `actions:
- AT_test_api_method: { http_method: get, test_url: '${server.url}/jobs' }
- AT_test_api_method: { http_method: get, test_url: '${server.url}/none' }
`,
  );
  expect(await call('openapi', '--run', 'half.yaml', '-o', 'half.json')).toMatchObject({
    stdout: 'half.json\n',
    stderr: expect.stringMatching(/^failed: GET http:\/\/[^ ]+\/none .*404.*\n$/),
    exit: 0,
  });
});

test('a run without times is no good one, and what a load file leaves out is told', async () => {
  writeFileSync(join(folder, 'none.yaml'), 'actions:\n- AT_fake_uuid\n');
  expect(await call('trend', 'record', '--run', 'none.yaml', '--db', 'none.sqlite')).toMatchObject({
    stderr: expect.stringContaining('warning: No times of requests were stored'),
    exit: 0,
  });
  writeFileSync(
    join(folder, 'load.yaml'),
    `actions:\n- AT_fake_uuid\n- AT_test_api_method: { http_method: get, test_url: '${server.url}/jobs' }\n`,
  );
  expect(await call('load', 'convert', '--actions', 'load.yaml', '-o', 'load.json')).toMatchObject({
    stdout: 'load.json\n',
    stderr: 'left out: action 0 is AT_fake_uuid, which sends no single request\n',
    exit: 0,
  });
});
