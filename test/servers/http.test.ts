import { existsSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';

import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { nodeHost } from '#runtime/hosts/node.ts';
import { AccessList } from '#runtime/servers/access-list.ts';
import { Callers } from '#runtime/servers/callers.ts';
import { openHttpServer } from '#runtime/servers/http/server.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { serve, type Served } from './open.ts';

const json = { 'content-type': 'application/json' };

async function post(served: Served, body: unknown, headers: Record<string, string> = json): Promise<Response> {
  return fetch(`${served.url}/actions`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The status of a request written by hand. */
function raw(served: Served, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(served.server.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** Words to a client that sends a head alone, until its connection is closed, and the time (ms) that it took. */
async function waiting(port: number, head: readonly string[]): Promise<{ readonly said: string; readonly ms: number }> {
  const began = performance.now();
  const socket = connect(port, '127.0.0.1', () => socket.write([...head, '', ''].join('\r\n')));
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece as Buffer);
  return { said: Buffer.concat(pieces).toString(), ms: performance.now() - began };
}

let open: Served;
let closed: Served;
beforeAll(async () => {
  [open, closed] = await Promise.all([
    serve('http'),
    serve('http', { secret: 'grün-s3cret', allowed: ['FA_*'], denied: ['FA_remove_*'] }),
  ]);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

describe('a client that waits with its body', () => {
  const head = (...more: readonly string[]): readonly string[] => [
    'POST /actions HTTP/1.1',
    'host: 127.0.0.1',
    'expect: 100-continue',
    ...(more.some((line) => line.startsWith('content-type')) ? [] : ['content-type: application/json']),
    ...more,
  ];

  it.each([
    [413, 'of a body that is too large', head('content-length: 1048577')],
    [415, 'of a type that is not taken', head('content-length: 9', 'content-type: text/plain')],
    [403, 'of another site', head('content-length: 9', 'origin: http://evil.example')],
    [404, 'of a path that there is not', ['POST /nothing HTTP/1.1', ...head('content-length: 9').slice(1)]],
  ])('is refused with %i at once, and the connection closed: %s', async (status, _what, lines) => {
    const { said, ms } = await waiting(open.server.port, lines);
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(said.toLowerCase()).toContain('connection: close');
    expect(ms).toBeLessThan(4000);
  });

  it('is refused without the secret before it sends anything', async () => {
    const { said } = await waiting(closed.server.port, head('content-length: 9', 'authorization: Bearer wrong'));
    expect(said).toMatch(/^HTTP\/1.1 401 /);
  });

  it('is not asked for it in HTTP/1.0, which has no such answer', async () => {
    const [, ...lines] = head('content-length: 2');
    const { said } = await waiting(open.server.port, ['POST /actions HTTP/1.0', ...lines, '', '[]']);
    expect(said).toMatch(/^HTTP\/1.1 422 /);
  });

  it('is asked for it where the head is in order', async () => {
    const list = '[["FA_create_dir",["waited"]]]';
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(open.server.port, '127.0.0.1', () =>
        socket.write([...head(`content-length: ${list.length}`, 'connection: close'), '', ''].join('\r\n')),
      );
      let said = '';
      socket.on('data', (chunk) => {
        if (said === '') socket.write(list);
        said += String(chunk);
      });
      socket.on('end', () => resolve(said)).on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
    expect(existsSync(join(open.root, 'waited'))).toBe(true);
  });
});

describe('POST /actions', () => {
  it('runs a list and tells of each action', async () => {
    const answer = await post(open, [
      ['FA_create_file', ['a.txt', 'hello']],
      ['FA_copy_file', ['missing.txt', 'b.txt']],
    ]);
    expect([answer.status, answer.headers.get('x-svc-failed-actions')]).toEqual([200, '1']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = (await answer.json()) as Record<string, JsonObject>;
    expect(Object.keys(body)).toEqual([
      'execute[0]: ["FA_create_file",["a.txt","hello"]]',
      'execute[1]: ["FA_copy_file",["missing.txt","b.txt"]]',
    ]);
    expect(Object.values(body).map(({ status }) => status)).toEqual(['ok', 'error']);
    expect(readFileSync(join(open.root, 'a.txt'), 'utf8')).toBe('hello');
  });

  it('takes what action files hold, and options beside actions', async () => {
    expect((await post(open, { auto_control: [['FA_create_dir', ['made']]] })).status).toBe(200);
    expect(existsSync(join(open.root, 'made'))).toBe(true);
    for (const body of [
      { actions: [['FA_create_dir', ['dry']]] },
      { auto_control: [['FA_create_dir', ['dry']]], other: 1 },
      { nodes: [{ id: 'a', action: ['FA_create_dir', ['dry']] }] },
    ]) {
      const dry = await post(open, { ...body, dry_run: true });
      expect(Object.values((await dry.json()) as Record<string, JsonObject>)).toMatchObject([{ status: 'dry_run' }]);
    }
    expect(existsSync(join(open.root, 'dry'))).toBe(false);
    const whole = await post(open, { setup: [['FA_create_dir', ['first']]], actions: [['FA_create_dir', ['then']]] });
    expect(Object.keys((await whole.json()) as JsonObject)).toEqual([
      'execute[0]: ["FA_create_dir",["first"]]',
      'execute[1]: ["FA_create_dir",["then"]]',
    ]);
  });

  it.each([
    ['[', 400],
    ['[]', 422],
    ['7', 422],
    ['[["FA_nothing", []]]', 422],
    ['[["FA_copy_file", {"sorce": "a"}]]', 422],
    ['{"actions": [["FA_create_dir", ["x"]]], "substitute": true}', 422],
    ['{"actions": [["FA_create_dir", ["x"]]], "other": 1}', 422],
    ['{"auto_control": [["FA_create_dir", ["x"]]], "dry_run": 1}', 422],
    ['{"nodes": [{"id": "a", "action": ["FA_create_dir", ["x"]], "depends_on": ["a"]}]}', 422],
  ])('refuses %s with %i, and runs nothing', async (body, status) => {
    const answer = await post(open, body);
    expect(answer.status).toBe(status);
    expect(Object.keys((await answer.json()) as JsonObject)).toContain('error');
  });

  it('tells beside a mistake what to do about it', async () => {
    const answer = await post(open, [['FA_copy_flie', { source: 'a', target: 'b' }]]);
    expect(answer.status).toBe(422);
    expect((await answer.json()) as JsonObject).toEqual({
      error: expect.stringContaining('FA_copy_flie') as string,
      help: expect.stringMatching(/FA_copy_file.*svc commands list/) as string,
    });
  });

  it('asks for a type and a length, and bounds the body', async () => {
    for (const type of ['text/plain', 'application/json; charset=utf-16'])
      expect((await post(open, '[]', { 'content-type': type })).status, type).toBe(415);
    expect((await post(open, '[]', { ...json, 'content-encoding': 'gzip' })).headers.get('accept-encoding')).toBe(
      'identity',
    );
    const plain = {
      'content-type': 'application/json;charset="UTF-8"',
      'content-encoding': 'identity',
    };
    expect((await post(open, [[]], plain)).status).toBe(422);
    // Told, and not lost with a connection that is reset, however much of the body is under way.
    for (let count = 0; count < 4; count += 1)
      expect((await post(open, `["${'x'.repeat(4 * 1024 * 1024)}"]`)).status).toBe(413);
    expect(await raw(open, 'POST /actions HTTP/1.1\r\nhost: localhost\r\n\r\n')).toMatch(/^HTTP\/1\.1 411 /);
    expect(await raw(open, 'POST /actions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    // Two lengths are how requests are smuggled.
    expect(
      await raw(
        open,
        'POST /actions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('refuses what it cannot read as UTF-8', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        `${open.url}/actions`,
        { method: 'POST', headers: { ...json, 'content-length': 3 } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      sent.on('error', reject).end(Buffer.from([0x5b, 0xff, 0x5d]));
    });
    expect(status).toBe(400);
  });

  it('runs with closed gates, and hides what starts programs and servers', async () => {
    for (const name of ['FA_run_shell', 'FA_http_server_start'])
      expect(await (await post(open, [[name, name === 'FA_run_shell' ? [['id']] : []]])).json(), name).toEqual({
        error: `action not permitted: ${name}`,
      });
  });
});

describe('an upgrade that is offered with a request', () => {
  // Older ones hand every upgrade to who takes WebSockets.
  it.runIf('shouldUpgradeCallback' in createServer())('is passed over but for the WebSocket', async () => {
    const offer =
      'host: localhost\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n';
    expect(await raw(open, `GET /healthz HTTP/1.1\r\n${offer}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    const list = '[["FA_create_dir",["offered"]]]';
    const head = `content-type: application/json\r\ncontent-length: ${list.length}`;
    expect(await raw(open, `POST /actions HTTP/1.1\r\n${offer}${head}\r\n\r\n${list}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await raw(open, `GET /progress HTTP/1.1\r\n${offer}\r\n`)).toMatch(/^HTTP\/1\.1 426 /);
  });
});

describe('who may ask', () => {
  it('needs the secret, in time that does not tell how much of it was right', async () => {
    expect((await post(closed, [['FA_create_dir', ['a']]])).status).toBe(401);
    const began = performance.now();
    const wrong = await post(closed, [['FA_create_dir', ['a']]], { ...json, authorization: 'Bearer other' });
    expect(performance.now() - began).toBeGreaterThan(450);
    expect([wrong.status, wrong.headers.get('www-authenticate'), await wrong.json()]).toEqual([
      401,
      'Bearer',
      { error: 'bad shared secret' },
    ]);
    const right = { ...json, authorization: `Bearer ${Buffer.from('grün-s3cret').toString('latin1')}` };
    expect((await post(closed, [['FA_create_dir', ['a']]], right)).status).toBe(200);
  });

  it('is held to the access list wherever a name stands', async () => {
    const auth = { ...json, authorization: `Bearer ${Buffer.from('grün-s3cret').toString('latin1')}` };
    for (const action of [
      ['FA_remove_dir_tree', ['a']],
      ['AT_set_variable', { name: 'a', value: 1 }],
      [
        'FA_execute_action',
        {
          action_list: [
            ['FA_create_dir', ['n']],
            ['FA_remove_dir_tree', ['a']],
          ],
        },
      ],
      ['FA_execute_action_dag', { nodes: [{ id: 'x', action: ['FA_remove_dir_tree', ['a']] }] }],
    ]) {
      const answer = await post(closed, [['FA_create_dir', ['never']], action], auth);
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('action not permitted: ')]);
    }
    expect(existsSync(join(closed.root, 'never'))).toBe(false);
    expect(existsSync(join(closed.root, 'n'))).toBe(false);
  });

  it('is no page of another site, and asks by a name of this machine', async () => {
    expect(await raw(open, 'GET /healthz HTTP/1.1\r\nhost: evil.example\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect((await post(open, [], { ...json, origin: 'https://evil.example' })).status).toBe(403);
    expect(await raw(open, `GET /healthz HTTP/1.1\r\nhost: LOCALHOST:${open.server.port}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });
});

describe('the other addresses', () => {
  it('tell of health, readiness and themselves', async () => {
    expect(await (await fetch(`${open.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${open.url}/healthz?probe=1`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${open.url}/readyz`)).json()).toEqual({ status: 'ready', reason: 'ok' });
    const api = (await (await fetch(`${closed.url}/openapi.json`)).json()) as JsonObject;
    // As it is served, for the rights of this server, and by a validator of others.
    const { valid, errors } = await new Validator().validate(structuredClone(api));
    expect([valid, errors]).toEqual([true, undefined]);
    expect(Object.keys(api['paths'] as JsonObject)).toEqual([
      '/actions',
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/progress',
    ]);
    const { schemas } = api['components'] as { schemas: JsonObject };
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['FA_copy_file', 'ActionRequest']));
    expect(Object.keys(schemas).filter((name) => /^(AT_|FA_remove|FA_run_shell)/.test(name))).toEqual([]);
  });

  it.each([
    ['GET', '/nothing', 404, null],
    ['POST', '/actions?x=1', 404, null],
    ['GET', '/actions', 405, 'POST, OPTIONS'],
    ['POST', '/healthz', 405, 'GET, HEAD'],
    ['OPTIONS', '/actions', 204, 'POST, OPTIONS'],
    ['GET', '/progress', 426, null],
  ])('%s %s gives %i', async (method, path, status, allow) => {
    const answer = await fetch(`${closed.url}${path}`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
  });
});

describe('/progress', () => {
  const frames = (socket: WebSocket, count: number): Promise<readonly unknown[]> =>
    new Promise((resolve, reject) => {
      const all: unknown[] = [];
      socket.on('message', (data: Buffer) => {
        all.push(JSON.parse(data.toString()));
        if (all.length === count) resolve(all);
      });
      socket.on('error', reject);
    });

  it('tells of transfers at once and again', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${open.server.port}/progress?interval=0.2`);
    expect(await frames(socket, 2)).toEqual([{ progress: [] }, { progress: [] }]);
    socket.close();
  });

  it('asks for the secret, and refuses pages of other sites', async () => {
    const refusal = (options: object): Promise<number | undefined> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${closed.server.port}/progress`, options);
        socket.on('unexpected-response', (sent, answer) => {
          sent.destroy();
          resolve(answer.statusCode);
        });
        socket.on('error', () => undefined);
      });
    const began = performance.now();
    expect(await refusal({})).toBe(401);
    expect(performance.now() - began).toBeGreaterThan(450);
    expect(await refusal({ origin: 'https://evil.example' })).toBe(403);
    expect(closed.heard.slice(-2)).toMatchObject([{ outcome: '401' }, { outcome: '403' }]);
  });

  const handshake = {
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
    upgrade: 'websocket',
  };

  it.each([
    ['of another version', 'GET', { ...handshake, 'sec-websocket-version': '12' }, 426],
    ['of no version', 'GET', { ...handshake, 'sec-websocket-version': undefined }, 426],
    ['with no key', 'GET', { ...handshake, 'sec-websocket-key': undefined }, 426],
    ['with a key that is none', 'GET', { ...handshake, 'sec-websocket-key': 'short' }, 400],
    ['of another method', 'POST', handshake, 405],
  ])('refuses in its own words a handshake %s, and logs that', async (_what, method, given, status) => {
    const lines = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
    const head = [`${method} /progress HTTP/1.1`, 'host: localhost', 'connection: Upgrade', ...lines];
    const said = await raw(open, `${head.join('\r\n')}\r\n\r\n`);
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(said).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n[\s\S]*\r\n\r\n\{"error":"/);
    expect(/\r\nconnection: .*upgrade/i.test(said)).toBe(status === 426);
    expect(/\r\nsec-websocket-version: 13\r\n/.test(said)).toBe(_what.endsWith('version'));
    expect(open.heard.at(-1)).toMatchObject({ outcome: String(status) });
  });

  it('is pinged every 30 seconds, however far apart its frames are', async () => {
    const { lookup, clock } = nodeHost();
    // A hundred times as fast.
    const quick: typeof clock = { ...clock, timer: (ms, ...rest) => clock.timer(ms / 100, ...rest) };
    const callers = new Callers([{ secret: null, access: new AccessList({ allowed: [], denied: [] }, new Set()) }]);
    const given = { host: '127.0.0.1', port: 0, allowReachable: false, callers };
    const server = await openHttpServer(given, { calls: open.calls, lookup, clock: quick });
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/progress?interval=60`);
    const seen: string[] = [];
    socket.on('ping', () => seen.push('ping')).on('message', () => seen.push('frame'));
    await expect.poll(() => seen.length, { timeout: 5000 }).toBeGreaterThan(3);
    expect(seen.slice(0, 2)).toEqual(['frame', 'ping']);
    expect(seen.filter((each) => each === 'ping').length).toBeGreaterThan(1);
    await server.stop();
  });

  it('ends in order with its server', async () => {
    const served = await serve('http');
    const socket = new WebSocket(`ws://127.0.0.1:${served.server.port}/progress`);
    await frames(socket, 1);
    expect(served.heard).toMatchObject([{ server: 'http', outcome: '101' }]);
    const closing = new Promise((resolve) => socket.on('close', resolve));
    await served[Symbol.asyncDispose]();
    expect(await closing).toBe(1000);
  });
});

describe('where it listens', () => {
  it('is this machine alone, unless that is allowed and a secret is there', async () => {
    await expect(serve('http', { host: '0.0.0.0' })).rejects.toMatchObject({
      name: 'FileAutomationException',
      message: expect.stringContaining('can be reached') as string,
    });
    await expect(serve('http', { host: '0.0.0.0', allowReachable: true })).rejects.toMatchObject({
      message: expect.stringContaining('has no secret') as string,
    });
    await using served = await serve('http', { host: '0.0.0.0', allowReachable: true, secret: 'x' });
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
  });

  it('is told when it cannot be', async () => {
    await expect(serve('http', { host: 'nowhere.invalid' })).rejects.toMatchObject({
      name: 'FileAutomationException',
      message: expect.stringContaining('the name leads to no address') as string,
    });
    const access = new AccessList({ allowed: null, denied: [] }, new Set());
    const given = {
      host: '127.0.0.1',
      port: open.server.port,
      allowReachable: false,
      callers: new Callers([{ secret: null, access }]),
    };
    const { lookup, clock } = nodeHost();
    await expect(openHttpServer(given, { calls: open.calls, lookup, clock })).rejects.toMatchObject({
      name: 'FileAutomationException',
      message: expect.stringContaining('EADDRINUSE') as string,
    });
  });

  it('cuts off who does not take what it is sent', async () => {
    await using served = await serve('http', { idleMs: 300 });
    const whole = (await (await fetch(`${served.url}/openapi.json`)).arrayBuffer()).byteLength;
    const count = Math.ceil(16_000_000 / whole);
    const socket = connect(served.server.port, '127.0.0.1').pause();
    const gone = new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
    for (let index = 0; index < count; index += 1)
      socket.write('GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 3000));
    let size = 0;
    socket.on('data', (piece) => (size += piece.length)).resume();
    await gone;
    expect(size).toBeLessThan(count * whole);
  }, 20_000);

  it('is left within seconds: calls under way end first', async () => {
    const served = await serve('http');
    const slow = post(served, [['FA_create_dir', ['slow']]]);
    await slow;
    await served[Symbol.asyncDispose]();
    await expect(fetch(`${served.url}/healthz`)).rejects.toThrow();
    expect(served.heard).toMatchObject([{ server: 'http', outcome: '200' }]);
  });
});
