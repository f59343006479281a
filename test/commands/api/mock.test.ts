import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { configShape } from '#stdlib/api/mock/http/config-shape.ts';

import { failureOf, session } from '../call.ts';
import type { Session, SessionOptions } from '../call.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mock-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Mock extends AsyncDisposable {
  readonly unit: Session;
  readonly url: string;
  readonly port: number;
}

async function start(
  params: Record<string, unknown> = {},
  options: SessionOptions = {},
  before?: (unit: Session) => Promise<void>,
): Promise<Mock> {
  const unit = await session({ root: folder, ...options });
  await before?.(unit);
  const { url, port } = (await unit.call('AT_start_mock_server', params)) as { url: string; port: number };
  return { unit, url, port, [Symbol.asyncDispose]: async () => await unit.end() };
}

async function template(
  unit: Session,
  rule: string,
  body_template: unknown,
  more: Record<string, unknown> = {},
): Promise<void> {
  await unit.call('AT_mock_add_template_route', { rule, body_template, ...more });
}

async function post(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...init,
  });
}

async function received(unit: Session, params: Record<string, unknown> = {}): Promise<Record<string, unknown>[]> {
  return (await unit.call('AT_mock_received', params)) as Record<string, unknown>[];
}

/** Sends bytes as they are; yields what came back until the other side closed. */
async function raw(port: number, text: string): Promise<string> {
  return await new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket
      .on('data', (chunk) => (answer += String(chunk)))
      .on('close', () => resolve(answer))
      .on('error', () => {});
  });
}

describe('the server', () => {
  test('listens on a free loopback port, says its address, and is gone with its unit', async () => {
    const mock = await start();
    expect(mock.url).toBe(`http://127.0.0.1:${mock.port}`);
    expect(await (await fetch(mock.url)).text()).toBe('svc mock server');
    await mock.unit.end();
    await expect(fetch(mock.url)).rejects.toThrow();
  });

  test('starts once, refuses a port in use and an address of another machine; a failed start leaves nothing behind', async () => {
    await using mock = await start();
    const error = await failureOf(mock.unit.call('AT_start_mock_server'));
    expect([error.facts.name, error.message, error.options.kept]).toEqual([
      'MockServerException',
      `The mock server already runs at ${mock.url}.`,
      true,
    ]);
    // The refused start has taken nothing from the first.
    await template(mock.unit, '/still', 'there');
    expect(await (await fetch(`${mock.url}/still`)).text()).toBe('there');
    expect(await received(mock.unit)).toHaveLength(1);
    await using other = await session();
    const config = file('one.json', '{"http": {"routes": [{"rule": "/a"}]}}');
    expect((await failureOf(other.call('AT_start_mock_server', { port: mock.port, config }))).message).toContain(
      'EADDRINUSE',
    );
    expect((await failureOf(other.call('AT_start_mock_server', { host: '192.0.2.1' }))).facts.code).toBe('SVC83081');
    await other.call('AT_start_mock_server', { config });
  });

  test('stops on request and begins empty again', async () => {
    await using mock = await start();
    await template(mock.unit, '/a', 'one');
    await fetch(`${mock.url}/a`);
    expect(await received(mock.unit)).toHaveLength(1);
    await mock.unit.call('AT_stop_mock_server');
    await mock.unit.call('AT_stop_mock_server');
    expect((await failureOf(received(mock.unit))).facts.code).toBe('SVC83088');
    const { url } = (await mock.unit.call('AT_start_mock_server')) as { url: string };
    expect((await fetch(`${url}/a`)).status).toBe(404);
    expect(await received(mock.unit)).toHaveLength(1);
  });

  test('HEAD, OPTIONS, other verbs and unknown paths are answered for every route', async () => {
    await using mock = await start();
    await template(mock.unit, '/a', 'text');
    await template(mock.unit, '/a', 'made', { methods: ['POST'], status: 201 });
    const head = await fetch(`${mock.url}/a`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '4', '']);
    const options = await fetch(`${mock.url}/a`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    const put = await fetch(`${mock.url}/a`, { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    expect((await fetch(`${mock.url}/b`)).status).toBe(404);
    expect((await fetch(`${mock.url}/a`, { method: 'POST' })).status).toBe(201);
  });

  test('answers curl: forms, files, headers', async () => {
    await using mock = await start();
    await template(mock.unit, '/form', '{{request.form.name}} {{request.form.note}}', { methods: ['POST'] });
    const curl = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)('curl', ['-sS', ...args])).stdout;
    expect(await curl('-d', 'name=Ada&note=a%20b&name=second', `${mock.url}/form`)).toBe('Ada a b');
    const upload = file('up.txt', 'file text');
    expect(
      await curl('-F', 'name=Ada', '-F', `doc=@${upload};type=text/plain`, '-F', 'note=c', `${mock.url}/form`),
    ).toBe('Ada c');
    expect(await received(mock.unit, { path: '/form', method: 'POST' })).toMatchObject([
      { form: { name: 'Ada', note: 'a b' }, json: null },
      { form: { name: 'Ada', note: 'c' } },
    ]);
  });

  test('keeps requests apart that come at once', async () => {
    await using mock = await start();
    await template(mock.unit, '/n/<int:n>', '{{request.path.n}} {{request.json.v}}', { methods: ['POST'] });
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => await (await post(`${mock.url}/n/${n}`, { v: `v${n}` })).text()),
    );
    expect(answers).toEqual(Array.from({ length: 100 }, (_, n) => `${n} v${n}`));
    expect(await received(mock.unit)).toHaveLength(100);
  });
});

describe('bounds', () => {
  test('broken requests get an answer, or none, and the mock goes on', async () => {
    await using mock = await start();
    await template(mock.unit, '/a', 'fine');
    expect(await raw(mock.port, 'no http at all\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(await raw(mock.port, 'GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400/,
    );
    expect(await raw(mock.port, `GET /a HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431/,
    );
    expect(
      await raw(
        mock.port,
        'POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400/);
    const half = connect(mock.port, '127.0.0.1', () => {
      half.write('POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf');
      half.destroy();
    });
    expect(await raw(mock.port, 'GET http://elsewhere/a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(
      /fine$/,
    );
    expect(
      (
        await fetch(`${mock.url}/a`, {
          method: 'POST',
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          body: 'not multipart',
        })
      ).status,
    ).toBe(400);
    expect(await (await fetch(`${mock.url}/a`)).text()).toBe('fine');
  });

  test('a body above the limit is refused, announced or not', async () => {
    await using mock = await start({}, { settings: { limits: { mock_body_bytes: 1000 } } });
    await template(mock.unit, '/a', 'ok', { methods: ['POST'] });
    expect((await post(`${mock.url}/a`, 'x'.repeat(900))).status).toBe(200);
    expect(await raw(mock.port, `POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413/,
    );
    expect(
      await raw(
        mock.port,
        `POST /a HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5dc\r\n${'x'.repeat(1500)}\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 413/);
  });

  test('a client that never ends its request is put out', async () => {
    await using mock = await start({}, { settings: { limits: { mock_headers_ms: 300, mock_request_ms: 600 } } });
    const begun = performance.now();
    const [headers, body] = await Promise.all([
      raw(mock.port, 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: '),
      raw(mock.port, 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc'),
    ]);
    expect([headers, body]).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 408/),
      expect.stringMatching(/^HTTP\/1\.1 408/),
    ]);
    expect(performance.now() - begun).toBeLessThan(4000);
  });

  test('all that was received is kept and bounded, and read back by actions; long bodies are cut', async () => {
    await using mock = await start({}, { settings: { limits: { mock_received: 3 } } });
    await template(mock.unit, '/<n>', 'ok', { methods: ['POST'] });
    for (const n of [1, 2, 3, 4, 5]) await post(`${mock.url}/${n}`, 'z'.repeat(100_000));
    const list = await received(mock.unit);
    expect(list.map(({ path }) => path)).toEqual(['/3', '/4', '/5']);
    expect(list[0]?.['data']).toHaveLength(64 * 1024);
  });
});

describe('routes', () => {
  test.each([
    ['/u/<name>', '/u/a%20b', 'a b'],
    ['/u/{name}', '/u/x.y', 'x.y'],
    ['/u/<int:name>', '/u/007', '007'],
    ['/u/<int:name>', '/u/x', undefined],
    ['/u/<float:name>', '/u/1.5', '1.5'],
    ['/u/<path:name>', '/u/a/b/c', 'a/b/c'],
    ['/u/<name>', '/u/a/b', undefined],
    ['/u/<name>', '/u/', undefined],
    ['/f-<name>.json', '/f-x.json', 'x'],
    ['/grüße/<name>', '/gr%C3%BC%C3%9Fe/1', '1'],
    ['/u/<uuid:name>', '/u/01234567-89ab-4def-8123-456789abcdef', '01234567-89ab-4def-8123-456789abcdef'],
    ['/a.b/<name>', '/aXb/1', undefined],
    ['/u/<name>', '/U/x', undefined],
  ])('%s and %s', async (rule, path, value) => {
    await using mock = await start();
    await template(mock.unit, rule, '{{request.path.name}}');
    const answer = await fetch(mock.url + path);
    expect(answer.status === 200 ? await answer.text() : undefined).toBe(value);
  });

  test('of two rules with a parameter the one with more text of its own wins, however long their names are', async () => {
    await using mock = await start();
    await template(mock.unit, '/files/<name_of_the_file>', 'any');
    await template(mock.unit, '/files/<n>.json', 'json');
    expect(await (await fetch(`${mock.url}/files/a.json`)).text()).toBe('json');
  });

  test('the more exact rule wins whatever came first', async () => {
    await using mock = await start();
    for (const rule of ['/<path:p>', '/a/<name>', '/a/<int:n>/x', '/a/b', '/<x>/b'])
      await template(mock.unit, rule, rule);
    const answers = await Promise.all(
      ['/a/b', '/a/c', '/z/b', '/q/w/e', '/a/1/x'].map(async (path) => await (await fetch(mock.url + path)).text()),
    );
    expect(answers).toEqual(['/a/b', '/a/<name>', '/<x>/b', '/<path:p>', '/a/<int:n>/x']);
  });

  test.each([
    ['/a/<b', '<'],
    ['/<a><b>', '<b>'],
    ['/<a>/<a>', '<a>'],
    ['/<what:a>', '<what:a>'],
    ['/<path:a>/<path:b>', '<path:b>'],
    ['/a?b', '?'],
    ['/{1}', '{'],
  ])('%s cannot be read at %s', async (rule, part) => {
    await using unit = await session();
    const error = await failureOf(template(unit, rule, ''));
    expect(error.message).toBe(`The route rule "${rule}" cannot be read at "${part}".`);
  });

  test('a route that is taken is refused, another verb is not', async () => {
    await using unit = await session();
    await template(unit, '/a/<x>', '', { methods: ['GET', 'POST'] });
    await template(unit, '/a/<x>', '', { methods: ['PUT'] });
    expect((await failureOf(template(unit, '/a/{y}', '', { methods: ['DELETE', 'POST'] }))).message).toBe(
      'The mock already has a route for POST /a/{y}.',
    );
    expect((await failureOf(unit.call('AT_mock_add_webhook', { route: '/a/<z>' }))).facts.code).toBe('SVC83082');
  });
});

describe('template routes', () => {
  test('see the request and the variables of their unit as they are when it comes', async () => {
    await using mock = await start();
    const body = {
      m: '{{request.method}}',
      p: '{{request.path}}',
      id: '{{request.path.id}}',
      q: '{{request.query.q}}',
      h: '{{request.headers.X-One}}',
      j: '{{request.json.a[0].b}}',
      v: '{{who.name}}',
      none: '{{nobody}}',
      d: '{{request.data}}',
    };
    await template(mock.unit, '/x/<id>', body, { methods: ['POST'], headers: { 'X-Served': 'yes' } });
    await mock.unit.call('AT_set_variable', { name: 'who', value: { name: 'Ada' } });
    const answer = await post(`${mock.url}/x/7?q=1&q=2`, { a: [{ b: 5 }] }, { headers: { 'x-one': 'h' } });
    expect(answer.headers.get('x-served')).toBe('yes');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({
      m: 'POST',
      p: '/x/7',
      id: '7',
      q: ['1', '2'],
      h: 'h',
      j: 5,
      v: 'Ada',
      none: '',
      d: '{"a":[{"b":5}]}',
    });
    expect(await mock.unit.call('AT_get_variable', { name: 'request.path', default: 'none' })).toBe('none');
  });

  test.each([
    ['text', 'text/plain; charset=utf-8', 'text'],
    [{ a: 1 }, 'application/json', '{"a":1}'],
    [[1], 'application/json', '[1]'],
    [7, 'text/plain; charset=utf-8', '7'],
    [null, 'text/plain; charset=utf-8', ''],
    ['', 'text/plain; charset=utf-8', ''],
  ])('%j is sent as %s', async (body, type, text) => {
    await using mock = await start();
    await template(mock.unit, '/a', body);
    const answer = await fetch(`${mock.url}/a`);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([type, text]);
  });

  test('what came with the request is escaped in pages, and text that came out is not filled again', async () => {
    await using mock = await start({}, { variables: { markup: '<b>mine</b>' } });
    await template(mock.unit, '/page', '<p>{{request.query.q}}</p>{{markup}}', {
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    });
    await template(mock.unit, '/text', '{{request.query.q}}');
    const q = encodeURIComponent(`<script>"{{markup}}"&'</script>`);
    expect(await (await fetch(`${mock.url}/page?q=${q}`)).text()).toBe(
      '<p>&lt;script&gt;&quot;{{markup}}&quot;&amp;&#39;&lt;/script&gt;</p><b>mine</b>',
    );
    expect(await (await fetch(`${mock.url}/text?q=${q}`)).text()).toBe(`<script>"{{markup}}"&'</script>`);
  });

  test('a status without body has none', async () => {
    await using mock = await start();
    await template(mock.unit, '/gone', 'text', { status: 204 });
    const answer = await fetch(`${mock.url}/gone`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([204, null, '']);
  });
});

describe('dynamic routes, handlers, webhooks', () => {
  test('the first rule that fits answers', async () => {
    await using mock = await start({}, { variables: { bad: '0000' } });
    const rules = [
      { when: { field_path: 'card.number', expected: '{{bad}}' }, status: 402, body: { error: 'declined' } },
      { when: { field_path: 'items[0]', expected: { id: 1 } }, body: 'one', headers: { 'x-rule': '2' } },
      { when: { field_path: 'amount', expected: 5 }, body: { paid: '{{request.json.amount}}' } },
    ];
    await mock.unit.call('AT_mock_add_dynamic_route', { rule: '/pay', methods: ['POST'], rules });
    const ask = async (body: unknown): Promise<[number, string]> => {
      const answer = await post(`${mock.url}/pay`, body);
      return [answer.status, await answer.text()];
    };
    expect(await ask({ card: { number: '0000' } })).toEqual([402, '{"error":"declined"}']);
    expect(await ask({ items: [{ id: 1 }] })).toEqual([200, 'one']);
    expect(await ask({ amount: 5 })).toEqual([200, '{"paid":5}']);
    expect(await ask({ amount: '5' })).toEqual([404, 'no matching dynamic rule']);
    expect(await ask([])).toEqual([404, 'no matching dynamic rule']);
  });

  test('functions of the user answer, share state, and their errors are shown', async () => {
    file(
      'handlers.mjs',
      `
      export const count = (request, mock) => { const n = mock.state.get('n', 0) + 1; mock.state.set('n', n); return { body: { n, id: request.params.id }, status: 201, headers: { 'x-n': String(n) } }; };
      export const plain = async (request) => request.query.q;
      export const sent = ({ form, files }) => ({ form, files });
      export const body = () => ({ body: 'x', other: 1 });
      export const fails = () => { throw new TypeError('no'); };
      export const nothing = 5;
    `,
    );
    await using mock = await start();
    await mock.unit.call('AT_mock_server_add_router', {
      rule_and_function_dict: {
        '/count/<id>': 'handlers.mjs#count',
        '/plain': 'handlers.mjs#plain',
        '/body': 'handlers.mjs#body',
        '/fails': 'handlers.mjs#fails',
      },
    });
    await fetch(`${mock.url}/count/1`);
    const second = await fetch(`${mock.url}/count/2`);
    expect([second.status, second.headers.get('x-n'), await second.json()]).toEqual([201, '2', { n: 2, id: '2' }]);
    expect(await (await fetch(`${mock.url}/plain?q=hi`)).text()).toBe('hi');
    expect(await (await fetch(`${mock.url}/plain?q=1&q=2`)).json()).toEqual(['1', '2']);
    expect(await (await fetch(`${mock.url}/body`)).json()).toEqual({ body: 'x', other: 1 });
    await mock.unit.call('AT_mock_add_dynamic_route', {
      rule: '/sent',
      methods: ['POST'],
      rules: [{ handler: 'handlers.mjs#sent' }],
    });
    const form = new FormData();
    form.append('name', 'Ada');
    form.append('doc', new Blob(['file text'], { type: 'text/plain' }), 'up.txt');
    expect(await (await fetch(`${mock.url}/sent`, { method: 'POST', body: form })).json()).toEqual({
      form: { name: 'Ada' },
      files: [{ field: 'doc', name: 'up.txt', type: 'text/plain', size: 9 }],
    });
    expect((await fetch(`${mock.url}/fails`)).status).toBe(500);
    expect(await received(mock.unit, { path: '/fails' })).toMatchObject([{ status: 500, error: 'TypeError: no' }]);
    await mock.unit.call('AT_mock_add_dynamic_route', {
      rule: '/d',
      rules: [{ handler: 'handlers.mjs#fails' }, { body: 'next' }],
    });
    expect(await (await fetch(`${mock.url}/d`)).text()).toBe('next');
    expect(await received(mock.unit, { path: '/d' })).toMatchObject([{ status: 200, error: 'TypeError: no' }]);
    for (const [reference, code] of [
      ['handlers.mjs', 'SVC80057'],
      ['none.mjs#a', 'SVC80052'],
      ['handlers.mjs#absent', 'SVC80054'],
      ['handlers.mjs#nothing', 'SVC80055'],
      ['../handlers.mjs#count', 'SVC80051'],
    ]) {
      expect(
        (await failureOf(mock.unit.call('AT_mock_server_add_router', { rule_and_function_dict: { '/z': reference } })))
          .facts.code,
      ).toBe(code);
    }
  });

  test('need an open gate', async () => {
    await using unit = await session({ root: folder, settings: { gates: { packages: false } } });
    expect(
      (
        await failureOf(
          unit.call('AT_mock_server_add_router', { rule_and_function_dict: { '/z': 'handlers.mjs#plain' } }),
        )
      ).facts.code,
    ).toBe('SVC80024');
    expect(
      (
        await failureOf(
          unit.call('AT_mock_add_dynamic_route', { rule: '/d', rules: [{ handler: 'handlers.mjs#plain' }] }),
        )
      ).facts.code,
    ).toBe('SVC80024');
    await unit.call('AT_mock_add_dynamic_route', { rule: '/d', rules: [{ body: 'x' }] });
  });

  test('webhooks are kept, the newest hundred, apart from the rest', async () => {
    await using mock = await start({}, {}, async (unit) => {
      await unit.call('AT_mock_add_webhook');
      await unit.call('AT_mock_add_webhook', { route: '/paid' });
    });
    const answer = await fetch(`${mock.url}/paid`, {
      method: 'PUT',
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-sign': 's' },
    });
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    await fetch(mock.url);
    await post(`${mock.url}/webhook?x=1`, { event: 'paid' });
    expect(await received(mock.unit, { webhooks: true })).toMatchObject([
      {
        method: 'PUT',
        path: '/paid',
        form: { a: '1' },
        json: null,
        data: 'a=1',
        headers: { 'x-sign': 's' },
        route: '/paid',
        status: 200,
      },
      { method: 'POST', path: '/webhook', json: { event: 'paid' }, query: { x: '1' } },
    ]);
    expect(await received(mock.unit)).toHaveLength(3);
    await Promise.all(Array.from({ length: 110 }, () => post(`${mock.url}/webhook`, {})));
    expect(await received(mock.unit, { webhooks: true, path: '/webhook' })).toHaveLength(100);
    expect((await fetch(`${mock.url}/paid`)).status).toBe(405);
  });
});

describe('faults', () => {
  test('failures replace answers of every kind of route, by chance', async () => {
    await using mock = await start({ faults: { failure_probability: 1, failure_status: 503, failure_body: 'down' } });
    await template(mock.unit, '/a', 'fine');
    const answer = await fetch(`${mock.url}/a`);
    expect([answer.status, await answer.text()]).toEqual([503, 'down']);
    await using never = await start({ faults: { failure_probability: 0 } });
    await template(never.unit, '/a', 'fine');
    expect((await fetch(`${never.url}/a`)).status).toBe(200);
  });

  test('a delay comes before the answer, and does not outlive the mock', async () => {
    await using mock = await start({ faults: { latency_seconds: 0.2 } });
    await template(mock.unit, '/a', 'fine');
    const begun = performance.now();
    await fetch(`${mock.url}/a`);
    expect(performance.now() - begun).toBeGreaterThan(190);
    await using slow = await start({ faults: { latency_seconds: 60 } });
    await template(slow.unit, '/a', 'never');
    const pending = fetch(`${slow.url}/a`).catch(() => 'ended');
    await expect.poll(async () => (await fetch(slow.url)).status).toBe(200);
    await slow.unit.call('AT_stop_mock_server');
    expect(await pending).toBe('ended');
  });
});

describe('a configuration file', () => {
  test('serves routes, rules, webhooks and faults, from YAML or JSON', async () => {
    const config = file(
      'shop.yaml',
      [
        'http:',
        '  faults: { failure_probability: 0 }',
        '  webhooks: [/hook]',
        '  routes:',
        '  - { rule: /ready, body: { up: true } }',
        '  - { rule: "/hello/<name>", body: "Hello {{request.path.name}} of {{town}}" }',
        '  - rule: /order',
        '    methods: [POST]',
        '    status: 201',
        '    headers: { x-shop: "1" }',
        '    rules:',
        '    - { when: { field_path: sku, expected: none }, status: 404, body: { error: gone } }',
        '    - { body: { sku: "{{request.json.sku}}" } }',
      ].join('\n'),
    );
    await using mock = await start({ config }, { variables: { town: 'Oz' } });
    expect(await (await fetch(`${mock.url}/ready`)).json()).toEqual({ up: true });
    expect(await (await fetch(`${mock.url}/hello/Ada`)).text()).toBe('Hello Ada of Oz');
    const order = await post(`${mock.url}/order`, { sku: 'a' });
    expect([order.status, order.headers.get('x-shop'), await order.json()]).toEqual([201, '1', { sku: 'a' }]);
    expect((await post(`${mock.url}/order`, { sku: 'none' })).status).toBe(404);
    expect((await post(`${mock.url}/hook`, {})).status).toBe(200);
  });

  test.each([
    ['{"http": {"routes": [{"body": 1}]}}', 'is wrong in line 1: at /http/routes/0/rule the schema asks for required.'],
    [
      'http:\n  routes:\n  - rule: ready\n',
      'is wrong in line 3: at /http/routes/0/rule the schema asks for pattern ^/.',
    ],
    [
      'http:\n  routes:\n  - rule: /a\n    status: 99\n    methods: [FETCH]\n',
      'is wrong in line 4: at /http/routes/0/status the schema asks for 200..599.',
    ],
    ['htpp: {}', 'is wrong in line 1: at /htpp the schema asks for $schema | http | websocket | grpc.'],
    ['[]', 'is wrong in line 1: at / the schema asks for object.'],
  ])('%s', async (text, message) => {
    await using unit = await session();
    const error = await failureOf(unit.call('AT_start_mock_server', { config: file('bad.yaml', text) }));
    expect(error.message).toContain(message);
  });

  test('what cannot be read, and what this version cannot serve, is named before a port is opened', async () => {
    await using unit = await session();
    const start = async (text: string): Promise<string> =>
      (await failureOf(unit.call('AT_start_mock_server', { config: file('bad.yaml', text) }))).message;
    expect(await start('http: [')).toContain('cannot be read');
    expect(await start('http: { openapi: shop.json }')).toContain('there is no such file');
    expect(await start('websocket: {}')).toContain('"websocket"');
    expect(await start('http: { routes: [{ rule: "/<a" }] }')).toContain('cannot be read at "<"');
    expect(await start('http: { routes: [{ rule: /a }, { rule: /a }] }')).toContain('already has a route');
    await unit.call('AT_start_mock_server');
  });

  test('has the shape that the published schema says', async () => {
    const schema = JSON.parse(
      await readFile(new URL('../../../schemas/contracts/mock-config.schema.json', import.meta.url), 'utf8'),
    ) as { properties: Record<string, unknown> };
    expect(bare({ properties: { http: schema.properties['http'] } })).toEqual({
      properties: { http: configShape.properties?.['http'] },
    });
    expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(configShape.properties ?? {}).sort());
  });
});

/** A schema without the words for editors. */
function bare(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => bare(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key]) => isNames || (key !== 'description' && key !== 'default' && key !== 'title'),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value, key === 'properties')]));
}

describe('a route with a fault', () => {
  const body = 'x'.repeat(100);
  /** A mock of one route, `/a`. */
  const startWith = async (route: Record<string, unknown>): Promise<Mock> =>
    await start({
      config: file('faults.json', JSON.stringify({ http: { routes: [{ rule: '/a', body, ...route }] } })),
    });
  const get = async ({ unit, url }: Mock): Promise<{ text: string; elapsed_ms: number }> => {
    const answer = await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${url}/a`, timeout: 30 });
    return answer as { text: string; elapsed_ms: number };
  };
  /** Its answer as bytes on the connection. */
  const wire = async ({ port }: Mock): Promise<{ head: string; body: string }> => {
    const [head = '', rest = ''] = (await raw(port, 'GET /a HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')).split(
      '\r\n\r\n',
    );
    return { head: head.toLowerCase(), body: rest };
  };

  test('delay: the whole answer comes after its time', async () => {
    await using mock = await startWith({ delay_seconds: 0.2 });
    const answer = await get(mock);
    expect([answer.text, answer.elapsed_ms > 190]).toEqual([body, true]);
    await using ruled = await startWith({ rules: [{ body, delay_seconds: 0.2 }] });
    expect((await get(ruled)).elapsed_ms).toBeGreaterThan(190);
  });

  test('reset: the connection ends without a byte of an answer', async () => {
    await using mock = await startWith({ fault: 'reset' });
    expect((await failureOf(get(mock))).facts.code).toBe('SVC83008');
    expect(await wire(mock)).toEqual({ head: '', body: '' });
  });

  test('cut: the head announces the whole body, and half of it comes', async () => {
    await using mock = await startWith({ fault: 'cut' });
    expect((await failureOf(get(mock))).facts.code).toBe('SVC83008');
    const answer = await wire(mock);
    expect([answer.head, answer.body]).toEqual([expect.stringContaining('content-length: 100'), body.slice(50)]);
  });

  test('slow: the body comes whole, in pieces over its time', async () => {
    await using mock = await startWith({ fault: 'slow', delay_seconds: 0.5 });
    const answer = await fetch(`${mock.url}/a`);
    const begun = performance.now();
    const pieces: string[] = [];
    for await (const piece of answer.body ?? []) pieces.push(Buffer.from(piece).toString());
    expect([pieces.join(''), pieces.length > 1, performance.now() - begun > 300]).toEqual([body, true, true]);
  });

  test('wrong length: the head announces half of what comes, and the connection is not used again', async () => {
    await using mock = await startWith({ fault: 'wrong_length' });
    const answer = await wire(mock);
    expect(answer.head).toContain('content-length: 50');
    expect(answer.head).toContain('connection: close');
    expect(answer.body).toBe(body);
  });

  test('of any kind leaves the mock able to answer the next request, and is kept with what was received', async () => {
    for (const fault of ['reset', 'cut', 'slow', 'wrong_length']) {
      await using mock = await startWith({ fault, delay_seconds: 0.1 });
      await template(mock.unit, '/fine', 'fine');
      await wire(mock);
      expect(await (await fetch(`${mock.url}/fine`)).text(), fault).toBe('fine');
      expect((await received(mock.unit)).map(({ path, route }) => [path, route])).toEqual([
        ['/a', '/a'],
        ['/fine', '/fine'],
      ]);
    }
  });
});

describe('a stream of events', () => {
  test('(SSE route) goes on behind the last event that a client has, and says when nothing follows', async () => {
    const route = { rule: '/config', events: [{ data: 'a' }, { data: 'b', id: 'second' }], events_per_connection: 1 };
    const config = file('events.json', JSON.stringify({ http: { routes: [{ ...route, retry_ms: 1 }] } }));
    await using mock = await start({ config });
    await mock.unit.call('AT_mock_add_event_stream', {
      rule: '/ticks/<name>',
      events: [
        { data: 'for {{request.path.name}}' },
        { data: { n: 2 }, event: 'tick' },
        { data: 'two\nlines', id: '' },
        { data: 'end', id: 'last' },
      ],
      events_per_connection: 2,
      retry_ms: 1,
      interval_seconds: 0.01,
    });
    const listen = { url: `${mock.url}/ticks/ada`, max_events: 9, reconnect: 5 };
    const { events } = (await mock.unit.call('AT_test_api_method_sse', listen)) as { events: unknown };
    expect(events).toEqual([
      { data: 'for ada', id: '1' },
      { data: '{"n":2}', event: 'tick', id: '2' },
      expect.objectContaining({ data: 'two\nlines' }),
      { data: 'end', id: 'last' },
    ]);
    const asked = await received(mock.unit, { path: '/ticks/ada' });
    expect(asked.map(({ headers }) => (headers as Record<string, string>)['last-event-id'])).toEqual([
      undefined,
      '2',
      'last',
    ]);
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 204]);
    const read = { url: `${mock.url}/config`, max_events: 9, reconnect: 5 };
    expect(await mock.unit.call('AT_test_api_method_sse', read)).toMatchObject({
      events: [
        { data: 'a', id: '1' },
        { data: 'b', id: 'second' },
      ],
    });
    const first = await fetch(`${mock.url}/ticks/bob`);
    expect(first.headers.get('content-type')).toBe('text/event-stream');
    expect(await first.text()).toBe('retry: 1\nid: 1\ndata: for bob\n\nevent: tick\nid: 2\ndata: {"n":2}\n\n');
  });

  test('ends with its mock, also in the middle of a pause', async () => {
    const unit = await session();
    await unit.call('AT_mock_add_event_stream', {
      rule: '/slow',
      events: [{ data: 'a' }, { data: 'b', delay_seconds: 60 }],
    });
    const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
    const answer = await fetch(`${url}/slow`);
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('id: 1\ndata: a\n\n');
    await unit.end();
    await expect(reader?.read()).rejects.toThrow();
  });
});
