import { createHash } from 'node:crypto';
import { createServer as createSecureServer } from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';

import { afterAll, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';

import { call, failureOf, session } from '../call.ts';
import { makeCertificates, startHttp, startRaw, type Started } from './servers.ts';

describe('AT_test_api_method_websocket', () => {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (wanted) => [...wanted][0] ?? false });
  afterAll(() => sockets.close());
  sockets.on('connection', (socket, request) => {
    if (request.url === '/greets') socket.send('welcome');
    socket.on('message', (data, isBinary) => {
      const text = String(data);
      if (text === 'leave') socket.close(1008, 'not for you');
      else if (text === 'bytes') socket.send(Buffer.from([0, 255]));
      else if (text === 'end') socket.close(4000, 'enough');
      else if (text === 'headers')
        socket.send(JSON.stringify([request.headers['x-trace'], socket.protocol, request.headers.authorization]));
      else socket.send(`echo ${text}`, { binary: isBinary });
    });
  });

  /** Answers the handshake, and then as the test writes it. */
  async function upgraded(speak: (socket: Socket) => void): Promise<Started> {
    const server = await startRaw((socket) => {
      socket.once('data', (head: Buffer) => {
        const key = /sec-websocket-key: (.*)\r\n/i.exec(head.toString())?.[1] ?? '';
        const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
        socket.write(
          `HTTP/1.1 101 OK\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
        );
        speak(socket);
      });
    });
    return { ...server, url: server.url.replace('http', 'ws') };
  }

  /**
   * Server of one test. It counts the connections of its own that have closed: those of the test before may end late.
   */
  async function upgrading(): Promise<Started & { readonly closed: () => number }> {
    let closed = 0;
    const { createServer } = await import('node:http');
    const http = createServer((_request, response) => response.writeHead(404).end());
    http.on('upgrade', (request, socket, head) => {
      if (request.url === '/forbidden')
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n', () => socket.destroy());
      else
        sockets.handleUpgrade(request, socket, head, (open) => {
          open.on('close', () => (closed += 1));
          sockets.emit('connection', open, request);
        });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    return {
      port,
      url: `ws://127.0.0.1:${port}`,
      closed: () => closed,
      [Symbol.asyncDispose]: async () => {
        for (const socket of sockets.clients) socket.terminate();
        http.closeAllConnections();
        await new Promise((resolve) => http.close(resolve));
      },
    };
  }

  test('sends all frames, collects replies and closes', async () => {
    await using chat = await upgrading();
    await using unit = await session();
    const result = await unit.call('AT_test_api_method_websocket', {
      url: `${chat.url}/greets`,
      messages: ['one', 'bytes'],
      expected_replies: 3,
    });
    expect(result).toMatchObject({
      url: `${chat.url}/greets`,
      messages_sent: ['one', 'bytes'],
      messages_received: ['welcome', 'echo one', 'data:;base64,AP8='],
    });
    expect(unit.work.scope.find('last_response')?.value).toMatchObject({
      messages_received: ['welcome', 'echo one', 'data:;base64,AP8='],
    });
    await expect.poll(chat.closed).toBe(1);
    expect(await unit.call('AT_render_markdown')).toContain('**Successes:** 1');
  });

  test('takes headers and subprotocols', async () => {
    await using chat = await upgrading();
    const result = await call('AT_test_api_method_websocket', {
      url: chat.url,
      messages: ['headers'],
      headers: { 'X-Trace': 'abc' },
      subprotocols: ['v2', 'v1'],
    });
    expect(result).toMatchObject({ messages_received: ['["abc","v2",null]'] });
  });

  test('sends the login of its address, which no record shows', async () => {
    await using chat = await upgrading();
    await using unit = await session();
    const url = chat.url.replace('//', '//ada:s3cr3t-word@');
    const login = Buffer.from('ada:s3cr3t-word').toString('base64');
    const result = await unit.call('AT_test_api_method_websocket', { url, messages: ['headers'] });
    expect(result).toMatchObject({ messages_received: [`[null,"","Basic ${login}"]`] });
    const written = JSON.stringify([unit.records, unit.evidence, unit.events]);
    expect(written).toContain('Basic ***');
    expect(written).not.toContain(login);
    expect(written).not.toContain('s3cr3t-word');
  });

  test('tells how many replies came when one is missing, or the other side closes', async () => {
    await using chat = await upgrading();
    await using unit = await session();
    const late = await failureOf(
      unit.call('AT_test_api_method_websocket', { url: `${chat.url}/greets`, expected_replies: 2, timeout: 0.5 }),
    );
    expect(late.facts).toMatchObject({ code: 'SVC83192', name: 'APITesterException' });
    expect(late.message).toContain('1 of 2');
    expect(late.options.actual).toEqual(['welcome']);
    const ended = await failureOf(
      unit.call('AT_test_api_method_websocket', { url: chat.url, messages: ['a', 'end'], expected_replies: 5 }),
    );
    expect(ended.message).toContain('1 of 5');
    expect(await unit.call('AT_render_markdown')).toContain('**Failures:** 2');
  });

  test('tells code and reason with which the other side closed, also where frames were still to be sent', async () => {
    await using chat = await upgrading();
    const ended = await failureOf(call('AT_test_api_method_websocket', { url: chat.url, messages: ['leave'] }));
    const words = 'the other side has closed the connection with code 1008 (not for you)';
    expect((ended.options.cause as Error).message).toBe(words);
    await using closing = await upgraded((socket) => {
      socket.write(Buffer.concat([Uint8Array.of(0x88, 13, 0x03, 0xf0), Buffer.from('not for you')]));
    });
    const messages = Array.from({ length: 2000 }, () => 'x'.repeat(10_000));
    const sending = await failureOf(call('AT_test_api_method_websocket', { url: closing.url, messages }));
    expect(sending.facts.code).toBe('SVC83190');
    expect(sending.message).toContain(words);
  });

  test('a server that does not read holds up a frame for its time limit only', async () => {
    await using deaf = await upgraded((socket) => socket.pause());
    const messages = ['x'.repeat(30_000_000)];
    const error = await failureOf(call('AT_test_api_method_websocket', { url: deaf.url, messages, timeout: 0.3 }));
    expect(error.facts).toMatchObject({ code: 'SVC83193', kinds: ['timeout', 'network'] });
    expect(error.message).toContain('sending a message');
  });

  test('addresses and subprotocols that the protocol does not know are mistakes of the step', async () => {
    const facts = async (params: object): Promise<unknown> =>
      (await failureOf(call('AT_test_api_method_websocket', { url: 'ws://127.0.0.1:1/', ...params }))).facts.code;
    expect(await facts({ url: 'ws://127.0.0.1:99999/' })).toBe('SVC83019');
    expect(await facts({ url: 'ws://127.0.0.1:1/#part' })).toBe('SVC83020');
    expect(await facts({ subprotocols: ['a', 'a'] })).toBe('SVC83020');
  });

  test('names a refused handshake, a silent server and nobody', async () => {
    await using chat = await upgrading();
    expect((await failureOf(call('AT_test_api_method_websocket', { url: `${chat.url}/forbidden` }))).message).toContain(
      '403',
    );
    await using silent = await startRaw(() => {});
    const late = await failureOf(
      call('AT_test_api_method_websocket', { url: silent.url.replace('http', 'ws'), timeout: 0.2 }),
    );
    expect(late.facts).toMatchObject({ code: 'SVC83193', kinds: ['timeout', 'network'] });
    expect((await failureOf(call('AT_test_api_method_websocket', { url: 'ws://127.0.0.1:1/' }))).message).toContain(
      'ECONNREFUSED',
    );
  });

  test('goes over TLS, and asks no private place where that is denied', async () => {
    using certificates = makeCertificates();
    const https = createSecureServer({ cert: readFileSync(certificates.cert), key: readFileSync(certificates.key) });
    https.on('upgrade', (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (open) => sockets.emit('connection', open, request)),
    );
    await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
    const url = `wss://127.0.0.1:${(https.address() as AddressInfo).port}/greets`;
    try {
      await expect(call('AT_test_api_method_websocket', { url, verify: false })).resolves.toMatchObject({
        messages_received: ['welcome'],
      });
      expect((await failureOf(call('AT_test_api_method_websocket', { url }))).message).toMatch(
        /SELF_SIGNED|UNABLE_TO|certificate/,
      );
      const denied = await failureOf(
        call('AT_test_api_method_websocket', { url, verify: false }, { settings: { gates: { private: false } } }),
      );
      expect(denied.facts.name).toBe('UrlValidationException');
    } finally {
      for (const socket of sockets.clients) socket.terminate();
      https.closeAllConnections();
      await new Promise((resolve) => https.close(resolve));
    }
  });
});

describe('AT_test_api_method_sse', () => {
  /** Each connection is answered by the next of these pieces; `cut` ends it without a word. */
  async function stream(
    ...connections: readonly (readonly string[])[]
  ): Promise<Started & { ids: (string | undefined)[] }> {
    const ids: (string | undefined)[] = [];
    const server = await startHttp((request, response) => {
      ids.push(request.headers['last-event-id'] as string | undefined);
      const pieces = connections[ids.length - 1] ?? [];
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      for (const piece of pieces) if (piece !== 'cut' && piece !== 'open') response.write(piece);
      if (pieces.at(-1) === 'cut') setTimeout(() => request.socket.destroy(), 20);
      else if (pieces.at(-1) !== 'open') response.end();
    });
    return Object.assign(server, { ids });
  }

  test('collects events as the standard says', async () => {
    await using server = await stream([
      ': a comment\n\nevent: add\ndata: one\ndata:  two\nid: 7\n\n',
      'data\r\n\r\ndata: ä',
      'öü\r\rid\n\nevent: empty\n\nretry: 50\ndata:x\n\ndata: never ended',
    ]);
    const result = await call('AT_test_api_method_sse', { url: server.url, max_events: 10 });
    expect(result).toMatchObject({
      events: [{ data: 'one\n two', event: 'add', id: '7' }, { data: '' }, { data: 'äöü' }, { data: 'x' }],
    });
  });

  test('stops when there are enough, also where the stream goes on', async () => {
    await using server = await stream(['data: 1\n\ndata: 2\n\ndata: 3\n\n', 'open']);
    await using unit = await session();
    expect(await unit.call('AT_test_api_method_sse', { url: server.url, max_events: 2 })).toMatchObject({
      events: [{ data: '1' }, { data: '2' }],
    });
    expect(unit.work.scope.find('last_response')?.value).toMatchObject({ events: [{ data: '1' }, { data: '2' }] });
  });

  test('goes on where it was when it is told to connect again', async () => {
    await using server = await stream(['retry: 10\n\nid: a\ndata: 1\n\n'], ['id: b\ndata: 2\n\n'], ['data: 3\n\n']);
    expect(await call('AT_test_api_method_sse', { url: server.url, max_events: 3, reconnect: 5 })).toMatchObject({
      events: [{ data: '1' }, { data: '2' }, { data: '3' }],
    });
    expect(server.ids).toEqual([undefined, 'a', 'b']);
    await using short = await stream(['data: 1\n\n'], ['data: 2\n\n']);
    expect(await call('AT_test_api_method_sse', { url: short.url, max_events: 9 })).toMatchObject({
      events: [{ data: '1' }],
    });
  });

  test('a connection that breaks off is opened again, after a block with nothing but an id too', async () => {
    const lost = [
      ['retry: 10\nid: a\ndata: 1\n\nid: b\n\n', 'cut'],
      ['id\ndata: 2\n\n', 'cut'],
      ['data: 3\n\n'],
    ] as const;
    await using server = await stream(...lost);
    expect(await call('AT_test_api_method_sse', { url: server.url, max_events: 3, reconnect: 2 })).toMatchObject({
      events: [{ data: '1' }, { data: '2' }, { data: '3' }],
    });
    expect(server.ids).toEqual([undefined, 'b', undefined]);
    await using once = await stream(...lost);
    const error = await failureOf(call('AT_test_api_method_sse', { url: once.url, max_events: 3, reconnect: 1 }));
    expect(error.facts.code).toBe('SVC83008');
  });

  test('sends the last id as UTF-8', async () => {
    await using server = await stream(['retry: 10\nid: ä漢\ndata: 1\n\n'], ['data: 2\n\n']);
    await call('AT_test_api_method_sse', { url: server.url, max_events: 2, reconnect: 1 });
    expect(Buffer.from(server.ids[1] ?? '', 'latin1').toString()).toBe('ä漢');
  });

  test('a stream that may be opened again behind the deadline only has ended', async () => {
    await using server = await stream(['retry: 20000\ndata: 1\n\n']);
    const begun = performance.now();
    expect(
      await call('AT_test_api_method_sse', { url: server.url, max_events: 2, reconnect: 1, total_timeout: 2 }),
    ).toMatchObject({ events: [{ data: '1' }] });
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('takes one byte order mark away, and tells the whole limit where it ran out', async () => {
    await using server = await stream(['\uFEFF\uFEFFdata: 1\n\ndata: 2\n\n']);
    expect(await call('AT_test_api_method_sse', { url: server.url })).toMatchObject({ events: [{ data: '2' }] });
    await using slow = await stream(['data: 1\n\n', 'open']);
    const late = await failureOf(call('AT_test_api_method_sse', { url: slow.url, total_timeout: 0.2 }));
    expect(late.message).toContain('within 0.2 s');
  });

  test('fails on silence, on another answer and on a status', async () => {
    await using silent = await stream(['data: 1\n\n', 'open']);
    const error = await failureOf(call('AT_test_api_method_sse', { url: silent.url, timeout: 0.2 }));
    expect(error.facts.kinds).toContain('timeout');
    await using other = await startHttp((_request, response) => response.end('hello'));
    expect((await failureOf(call('AT_test_api_method_sse', { url: other.url }))).facts.code).toBe('SVC83195');
    await using broken = await startHttp((_request, response) => response.writeHead(503).end());
    await using unit = await session();
    expect((await failureOf(unit.call('AT_test_api_method_sse', { url: broken.url }))).message).toContain('503');
    expect(await unit.call('AT_render_markdown')).toContain('**Failures:** 1');
  });
});
