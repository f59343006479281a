import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startHttp, type Started } from '../commands/api/servers.ts';
import { svc, type Said } from './svc.ts';

let folder = '';
let server: Started;
const items = new Map<string, object>();
const faults = new Set<string>();
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-generate-')));
  writeFileSync(join(folder, 'svc.config.yaml'), '{}');
  writeFileSync(join(folder, 'spec.json'), JSON.stringify(document));
  server = await startHttp((request, response) => void answer(request, response));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const call = (...args: readonly string[]): Promise<Said> => svc(folder, args, { env: { API_KEY: 'k-e-y-1' } });

const item = {
  type: 'object',
  required: ['title', 'count'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', readOnly: true },
    title: { type: 'string', minLength: 2, maxLength: 20 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    note: { type: 'string' },
  },
};
const content = { 'application/json': { schema: item } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'first' };
const document = {
  openapi: '3.1.0',
  info: { title: 'Items', version: '1' },
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  paths: {
    '/items': {
      post: { requestBody: { required: true, content }, responses: { 201: { description: 'made', content } } },
      get: {
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: { 200: { description: 'all' } },
      },
    },
    '/items/{id}': {
      parameters: [id],
      get: { responses: { 200: { description: 'one', content } } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
  },
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const url = new URL(request.url ?? '/', 'http://x');
  const say = (status: number, value?: unknown): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(value === undefined ? '' : JSON.stringify(value));
  if (request.headers['x-key'] !== 'k-e-y-1' && !faults.has('open')) return say(401, {});
  const page = url.searchParams.get('page');
  if (request.method === 'GET' && url.pathname === '/items')
    return page === null || /^[1-9]\d*$/.test(page) ? say(200, [...items.values()]) : say(400, {});
  if (request.method === 'POST') {
    const made = `i${items.size + 1}`;
    let body: Record<string, unknown> = {};
    try {
      body = JSON.parse(text) as Record<string, unknown>;
    } catch {
      return say(400, {});
    }
    const { title, count, note, ...others } = body;
    const fits =
      faults.has('careless') ||
      (typeof title === 'string' &&
        title.length >= 2 &&
        title.length <= 20 &&
        Number.isInteger(count) &&
        (count as number) >= 1 &&
        ((count as number) <= 9 || faults.has('count')) &&
        (note === undefined || typeof note === 'string') &&
        Object.keys(others).length === 0);
    if (!fits) return say(faults.has('crash') && title === undefined ? 500 : 422, {});
    items.set(made, { id: made, title, count: faults.has('text') ? String(count) : count });
    return say(201, items.get(made));
  }
  const name = url.pathname.split('/')[2] ?? '';
  const found = items.get(name) ?? (name === 'first' ? { id: 'first', title: 'the first', count: 1 } : undefined);
  if (!found) return say(404, {});
  if (request.method === 'DELETE') {
    if (!faults.has('immortal')) items.delete(name);
    return say(204);
  }
  say(200, found);
}

test('the same seed gives the same tests, which lint clean and pass against a server that keeps its word', async () => {
  const one = await call('generate-tests', 'spec.json', '-o', 'a.yaml', '--seed', '7', '--base-url', server.url);
  expect(one).toMatchObject({ exit: 0, stdout: 'a.yaml\n', stderr: expect.stringMatching(/^seed 7: \d+ tests/) });
  await call('generate-tests', 'spec.json', '-o', 'b.yaml', '--seed', '7', '--base-url', server.url);
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(readFileSync(join(folder, 'b.yaml'), 'utf8'));
  expect(await call('check', 'a.yaml')).toMatchObject({ exit: 0 });
  const ran = await call('run', 'a.yaml');
  expect(ran.stdout.split('\n').filter((line) => /^ *✗/.test(line))).toEqual([]);
  expect(ran.exit).toBe(0);
  expect(await call('generate-tests', 'spec.json', '--run', '--seed', '7', '--base-url', server.url)).toMatchObject({
    exit: 0,
  });
  expect(await call('generate-tests', 'spec.json', '-o', 'a.yaml')).toMatchObject({ exit: 2 });
  const list = JSON.parse((await call('generate-tests', 'spec.json', '--kinds', 'chains')).stdout) as unknown[];
  expect(list).toHaveLength(4);
  expect(await call('generate-tests', 'spec.json', '--kinds', 'luck')).toMatchObject({ exit: 2 });
  expect(await call('generate-tests', 'spec.json', '--effort', 'low')).toMatchObject({ exit: 2 });
});

test.each([
  ['count', 'count above the upper bound', /count: 10/],
  ['open', 'without a login', /http_method: \w+/],
  ['crash', 'without title', /json: \{ count: 1 \}/],
  // Without `count` it would be refused for another reason.
  ['careless', 'title too short', /json: \{ title: a, count: 1 \}/],
  ['immortal', 'can be read and removed', /made/],
])('finds the fault "%s", makes it small, and saves what fails alone', async (fault, name, small) => {
  faults.add(fault);
  const out = join('found', fault);
  const said = await call(
    'generate-tests',
    'spec.json',
    '--run',
    '--seed',
    '7',
    '--base-url',
    server.url,
    '--save-failing',
    out,
    '--json',
  );
  const result = JSON.parse(said.stdout) as {
    failed: number;
    failures: { name: string; failure: string; file: string }[];
  };
  const found = result.failures.find((one) => one.name.includes(name));
  expect([said.exit, result.failures.map((one) => one.name)]).toEqual([
    1,
    expect.arrayContaining([expect.stringContaining(name)]),
  ]);
  expect(readdirSync(join(folder, out))).toHaveLength(result.failed);
  expect(found?.failure).toMatch(/^answered \d{3}: "result\.status_code /);
  const text = readFileSync(join(folder, found?.file ?? ''), 'utf8');
  expect(text).toMatch(small);
  expect(await call('run', found?.file ?? '')).toMatchObject({ exit: 1 });
  faults.delete(fault);
  expect(await call('run', found?.file ?? '')).toMatchObject({ exit: 0 });
});

test('a language model writes the tests where one is chosen, and what it cannot use is said', async () => {
  const asked: { readonly model: string; readonly text: string; readonly login: string | undefined }[] = [];
  let reply = '';
  await using model = await startHttp((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { model: name } = JSON.parse(body) as { readonly model: string };
      asked.push({ model: name, text: body, login: request.headers.authorization });
      const choices = [{ message: { role: 'assistant', content: reply }, finish_reason: 'stop' }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
    });
  });
  const env = { SVC_AI_URL: model.url, SVC_AI_API_KEY: 'k-123456789' };
  const words = ['generate-tests', 'spec.json', '--ai', 'provider', '--model', 'small-1', '--seed', '1'];
  const action = { http_method: 'get', test_url: `${server.url}/items/first`, result_check_dict: { status_code: 200 } };
  reply = JSON.stringify([['AT_test_api_method', action]]);
  const written = await svc(folder, words, { env });
  expect(written.exit, written.stderr).toBe(0);
  expect(JSON.stringify(JSON.parse(written.stdout))).toContain('/items/first');
  expect(asked[0]).toMatchObject({ model: 'small-1', login: 'Bearer k-123456789' });
  expect(asked[0]?.text).toContain('/items/{id}');
  reply = 'I would rather talk about the weather.';
  const fallen = await svc(folder, words, { env });
  expect(fallen.exit, fallen.stderr).toBe(0);
  expect(fallen.stderr).toContain('gave nothing that can be used');
  expect(JSON.parse(fallen.stdout)).not.toEqual([]);
  expect(JSON.stringify([written, fallen])).not.toContain('k-123456789');
});

test('an answer that the document forbids fails its test, and the saved file fails alone', async () => {
  faults.add('text');
  const run = ['--run', '--kinds', 'examples,random', '--seed', '3', '--save-failing', 'forbidden'];
  const said = await call('generate-tests', 'spec.json', ...run, '--base-url', server.url);
  expect(said.stdout).toMatch(/the document forbids the answer of POST \/items -> 201: response body \$\.count/);
  expect(said.exit).toBe(1);
  const [file = ''] = readdirSync(join(folder, 'forbidden'));
  expect(readFileSync(join(folder, 'forbidden', file), 'utf8')).toContain('openapi: spec.json');
  expect(await call('run', `forbidden/${file}`)).toMatchObject({ exit: 1 });
  faults.delete('text');
  expect(await call('run', `forbidden/${file}`)).toMatchObject({ exit: 0 });
});

test('without a server nothing runs, and what was written is told as one value of JSON', async () => {
  const bare = await call('generate-tests', 'spec.json', '--run', '--save-failing', 'nowhere');
  expect(bare).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('needs --base-url') });
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  const words = ['generate-tests', 'spec.json', '--kinds', 'examples', '--seed', '4', '--json'];
  const { stdout } = await call(...words, '-o', 'four.yaml');
  expect(JSON.parse(stdout)).toMatchObject({ path: 'four.yaml', seed: 4 });
  const ran = await call(...words, '-o', 'again.yaml', '--run', '--base-url', server.url);
  expect(JSON.parse(ran.stdout)).toMatchObject({ seed: 4 });
  expect(JSON.parse((await call(...words, '-o', '-')).stdout)).toHaveLength(4);
});

test('a misspelt backend of the environment is no backend', async () => {
  const words = ['generate-tests', 'spec.json', '--kinds', 'examples'];
  expect(await svc(folder, words, { env: { SVC_AI_BACKEND: 'provder' } })).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('Did you mean "provider"?'),
    exit: 2,
  });
  expect(await svc(folder, words, { env: { SVC_AI_BACKEND: '' } })).toMatchObject({ exit: 0 });
});
