import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A smaller number each time; the whole one where `SVC_TEST_FULL` asks for it. */
const isFull = process.env['SVC_TEST_FULL'] === '1';
const HELD = isFull ? 10_000 : 800;
const SLOW = isFull ? 1000 : 120;
/** Growth of the memory (bytes) that so many connections may cost. */
const MOST_GROWTH = isFull ? 700 * 1024 * 1024 : 250 * 1024 * 1024;

interface Ports {
  readonly http: number;
  readonly tcp: number;
  readonly roots: readonly string[];
}

let child: ChildProcess;
let ports: Ports;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  child = fork(join(import.meta.dirname, 'served-child.ts'), { execArgv: ['--conditions=source'] });
  [ports] = (await once(child, 'message')) as [Ports];
}, 60_000);
afterAll(async () => {
  agent.destroy();
  const ended = once(child, 'exit');
  child.send('stop');
  await ended;
});

async function memory(): Promise<number> {
  child.send('memory');
  const [told] = (await once(child, 'message')) as [{ readonly memory: number }];
  return told.memory;
}

/** Opens a connection; what becomes of it later is the server's matter. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  return socket;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => (socket.closed ? resolve() : void socket.once('close', () => resolve())));
}

async function openMany(count: number, port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(100, count - sockets.length) }, () => open(port)))),
    );
  return sockets;
}

/** Everything that a server says to some bytes until it closes, or says `until`. */
async function said(port: number, pieces: readonly (string | Uint8Array)[], until = '\0'): Promise<string> {
  const socket = await open(port);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
    if (text.includes(until)) socket.destroy();
  });
  for (const piece of pieces) socket.write(piece);
  await closed(socket);
  return text;
}

/**
 * Milliseconds that each of some well-behaved calls took: an answer that is late is told, a missing one fails the test.
 */
async function others(count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    expect(await call(index % 2 === 0 ? undefined : '[["FA_create_dir",["made"]]]')).toBe(200);
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other);
}

function call(body: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        port: ports.http,
        host: '127.0.0.1',
        agent,
        path: body === undefined ? '/healthz' : '/actions',
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length },
      },
      (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
    );
    asked.on('error', reject).end(body);
  });
}

/** Tells how long others waited (ms); only a run with the whole number holds it to the figure, or 95 of 100 to it. */
function tell(what: string, times: readonly number[], share: 'half' | 'most' = 'half'): void {
  const [half = 0, most = 0] = [times[Math.floor(times.length / 2)], times[Math.floor(times.length * 0.95)]];
  console.log(`${what}: others waited ${half.toFixed(1)} ms, 95 of 100 less than ${most.toFixed(1)} ms`);
  if (isFull) expect(share === 'half' ? half : most).toBeLessThan(100);
}

const evil = (name: string): string => `[["FA_create_dir",["evil-${name}"]]]`;
const post = (body: string, ...headers: readonly string[]): string =>
  [`POST /actions HTTP/1.1`, 'host: 127.0.0.1', 'content-type: application/json', ...headers, '', body].join('\r\n');
const length = (body: string, more = 0): string => `content-length: ${body.length + more}`;

describe('servers among strangers', () => {
  test(`answer others while ${HELD} connections are held and ${SLOW} are slow, in bounded memory`, async () => {
    await others(10);
    const before = await memory();
    const held = [...(await openMany(HELD / 2, ports.http)), ...(await openMany(HELD / 2, ports.tcp))];
    tell(`${held.length} held`, await others(40), 'most');
    const body = evil('slow');
    const slow = [...(await openMany(SLOW / 2, ports.http)), ...(await openMany(SLOW / 2, ports.tcp))];
    const [web, plain] = [post(body, length(body)), body];
    let at = 0;
    // One letter of each after the other, never the last ones.
    const drip = setInterval(() => {
      for (const [index, socket] of slow.entries()) {
        const text = index < SLOW / 2 ? web : plain;
        socket.write(text[Math.min(at, text.length - 10)] ?? ' ');
      }
      at += 1;
    }, 20);
    tell(`${slow.length} slow`, await others(60), 'most');
    clearInterval(drip);
    const growth = (await memory()) - before;
    console.log(`memory grew by ${Math.round(growth / 1024 / 1024)} MiB`);
    expect(growth).toBeLessThan(MOST_GROWTH);
    for (const socket of [...held, ...slow]) socket.resetAndDestroy();
    expect((await others(10)).length).toBe(10);
  });

  test('run nothing that did not come whole', async () => {
    const body = evil('cut');
    const cut = await openMany(30, ports.http);
    for (const [index, socket] of cut.entries()) {
      // Half of it, or all but the last byte; then a reset, an end, or an end of one side.
      const text = post(body, length(body, index % 2));
      socket.write(text.slice(0, index % 2 === 0 ? text.length - 1 - (index % 5) : undefined));
      if (index % 3 === 0) socket.resetAndDestroy();
      else if (index % 3 === 1) socket.destroySoon();
      else socket.end();
    }
    const lines = await openMany(30, ports.tcp);
    for (const [index, socket] of lines.entries()) {
      socket.write(body.slice(0, body.length - 1 - (index % 7)));
      if (index % 2 === 0) socket.resetAndDestroy();
      else socket.end();
    }
    const large = 'x'.repeat(1024 * 1024 + 10);
    expect(await said(ports.http, [post(large, length(large))])).toMatch(/^HTTP\/1.1 413 /);
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n`;
    expect(await said(ports.http, [post(chunk, 'transfer-encoding: chunked')])).toMatch(/^HTTP\/1.1 413 /);
    expect(await said(ports.tcp, [large])).not.toContain('"status":"ok"');
    const broken = Buffer.from(`[["FA_create_dir",["evil-\xff\xfe"]]]`, 'latin1');
    expect(await said(ports.http, [post('', length(broken.toString('latin1')), 'connection: close'), broken])).toMatch(
      /^HTTP\/1.1 400 /,
    );
    expect(await said(ports.tcp, [broken])).not.toContain('"status":"ok"');
    tell('cut, large and broken requests', await others(20));
    for (const root of ports.roots) expect((await readdir(root)).filter((name) => name.startsWith('evil'))).toEqual([]);
  });

  test('take no request that hides in another', async () => {
    const inner = evil('hidden');
    const hidden = post(inner, length(inner));
    const twice = ['content-length: 4', `content-length: ${hidden.length}`];
    const both = ['content-length: 4', 'transfer-encoding: chunked'];
    const heads = [
      twice,
      both,
      ['content-length: 4\r\n folded: x'],
      ['content-length : 4'],
      ['content-length: +4'],
      ['transfer-encoding: xchunked'],
    ];
    for (const head of heads) {
      const answer = await said(ports.http, [post(`[[]]\r\n${hidden}`, ...head)], '\r\n\r\n');
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    }
    const framings: readonly (readonly [status: number, ...head: string[]])[] = [
      [400, 'content-length: 4', 'content-length: 4'],
      [400, 'content-length: 4, 4'],
      [400, 'host: localhost', 'content-length: 4'],
      [400, 'x: a\ncontent-length: 4'],
      [400, 'x: a\rcontent-length: 4'],
      [400, 'transfer-encoding:\r\n chunked', 'content-length: 4'],
      [400, 'transfer-encoding: chunked', 'transfer-encoding: identity'],
      [400, 'transfer-encoding: chunked, chunked'],
      [501, 'transfer-encoding: gzip, chunked'],
      [411, 'x: without a length'],
    ];
    for (const [status, ...head] of framings) {
      const body = head.some((line) => line.includes('chunked')) ? `4\r\n[[]]\r\n0\r\n\r\n${hidden}` : hidden;
      const answer = await said(ports.http, [post(body, ...head)]);
      expect(answer.match(/HTTP\/1.1 (\d+)/g), head.join()).toEqual([`HTTP/1.1 ${status}`]);
    }
    const old = post(`4\r\n[[]]\r\n0\r\n\r\n${hidden}`, 'transfer-encoding: chunked').replace('/1.1', '/1.0');
    expect(await said(ports.http, [old])).toMatch(/^HTTP\/1.1 400 /);
    const extensions = [`4;${'a'.repeat(100_000)}\r\n[[]]`, '4;a\n[[]]', '4;a\rb\r\n[[]]', '4\n[[]]', '0x4\r\n[[]]'];
    for (const chunk of extensions) {
      const answer = await said(ports.http, [post(`${chunk}\r\n0\r\n\r\n${hidden}`, 'transfer-encoding: chunked')]);
      expect(answer.match(/HTTP\/1.1 (\d+)/g), chunk.slice(0, 10)).toEqual(['HTTP/1.1 400']);
    }
    // A chunk whose length lies.
    await said(ports.http, [post(`4;x\r\n[[]]]\r\n0\r\n\r\n${hidden}`, 'transfer-encoding: chunked')], '\r\n\r\n');
    const pipelined = Array.from({ length: 50 }, () => 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n').join('');
    const last = 'GET /nowhere HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n';
    const answers = await said(ports.http, [pipelined + last]);
    expect(answers.match(/HTTP\/1.1 200 /g)).toHaveLength(50);
    expect(answers).toContain('HTTP/1.1 404 ');
    await others(2);
    for (const root of ports.roots) expect(await readdir(root)).not.toContain('evil-hidden');
  });

  test('end a WebSocket whose fragments have no end', async () => {
    const before = await memory();
    const upgrade = [
      'GET /progress HTTP/1.1',
      'host: 127.0.0.1',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n');
    const sockets = await openMany(20, ports.http);
    // A masked fragment of a hundred bytes: the first begins a text, all others go on, and none is the last.
    const fragment = (first: boolean): Buffer =>
      Buffer.from([first ? 1 : 0, 0x80 | 100, 0, 0, 0, 0, ...Buffer.alloc(100, 97)]);
    const ended = sockets.map(closed);
    for (const socket of sockets) {
      socket.resume();
      socket.write(upgrade);
      socket.write(fragment(true));
      for (let count = 0; count < 1000; count += 1) socket.write(fragment(false));
    }
    tell('fragments without end', await others(20));
    await Promise.all(ended);
    expect((await memory()) - before).toBeLessThan(MOST_GROWTH);
  });
});
