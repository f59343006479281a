import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { failureOf, session } from '../../call.ts';
import { place, post, raw, received, template } from './mock-server.ts';

const at = place();

describe('the server', () => {
  test('listens on a free loopback port, says its address, and is gone with its unit', async () => {
    const mock = await at.start();
    expect(mock.url).toBe(`http://127.0.0.1:${mock.port}`);
    expect(await (await fetch(mock.url)).text()).toBe('svc mock server');
    await mock.unit.end();
    await expect(fetch(mock.url)).rejects.toThrow();
  });

  test('starts once, refuses a port in use and an address of another machine; a failed start leaves nothing behind', async () => {
    await using mock = await at.start();
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
    const config = at.file('one.json', '{"http": {"routes": [{"rule": "/a"}]}}');
    expect((await failureOf(other.call('AT_start_mock_server', { port: mock.port, config }))).message).toContain(
      'EADDRINUSE',
    );
    expect((await failureOf(other.call('AT_start_mock_server', { host: '192.0.2.1' }))).facts.code).toBe('SVC83081');
    await other.call('AT_start_mock_server', { config });
  });

  test('stops on request and begins empty again', async () => {
    await using mock = await at.start();
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
    await using mock = await at.start();
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
    await using mock = await at.start();
    await template(mock.unit, '/form', '{{request.form.name}} {{request.form.note}}', { methods: ['POST'] });
    const curl = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)('curl', ['-sS', ...args])).stdout;
    expect(await curl('-d', 'name=Ada&note=a%20b&name=second', `${mock.url}/form`)).toBe('Ada a b');
    const upload = at.file('up.txt', 'file text');
    expect(
      await curl('-F', 'name=Ada', '-F', `doc=@${upload};type=text/plain`, '-F', 'note=c', `${mock.url}/form`),
    ).toBe('Ada c');
    expect(await received(mock.unit, { path: '/form', method: 'POST' })).toMatchObject([
      { form: { name: 'Ada', note: 'a b' }, json: null },
      { form: { name: 'Ada', note: 'c' } },
    ]);
  });

  test('keeps requests apart that come at once', async () => {
    await using mock = await at.start();
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
    await using mock = await at.start();
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
    await using mock = await at.start({}, { settings: { limits: { mock_body_bytes: 1000 } } });
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
    await using mock = await at.start({}, { settings: { limits: { mock_headers_ms: 300, mock_request_ms: 600 } } });
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
    await using mock = await at.start({}, { settings: { limits: { mock_received: 3 } } });
    await template(mock.unit, '/<n>', 'ok', { methods: ['POST'] });
    for (const n of [1, 2, 3, 4, 5]) await post(`${mock.url}/${n}`, 'z'.repeat(100_000));
    const list = await received(mock.unit);
    expect(list.map(({ path }) => path)).toEqual(['/3', '/4', '/5']);
    expect(list[0]?.['data']).toHaveLength(64 * 1024);
  });
});
