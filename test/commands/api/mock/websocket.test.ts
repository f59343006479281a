import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { failureOf, session } from '../../call.ts';

/** Answers to some messages, in order, until as many frames are there. */
async function talk(
  url: string,
  messages: readonly (string | Uint8Array)[],
  frames: number,
): Promise<readonly string[]> {
  const socket = new WebSocket(url);
  const got: string[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => messages.forEach((message) => socket.send(message)));
    socket.on('message', (data: Buffer) => {
      got.push(data.toString());
      if (got.length === frames) resolve();
    });
  });
  socket.terminate();
  return got;
}

test('greets, answers by the script, echoes the rest, and shows what it got', async () => {
  await using unit = await session();
  const routes = {
    '/feed': { greeting: 'welcome', replies: { who: 'mock', many: ['1', '2 of {{message}}'], hush: null } },
    '/dumb': { fallback: null, replies: { $: '<{{message}}>' } },
  };
  const url = (await unit.call('AT_mock_start_websocket_server', { routes, port: 0 })) as string;
  expect(await talk(`${url}/feed?x=1`, ['who', 'hush', 'many', 'other $&'], 5)).toEqual([
    'welcome',
    'mock',
    '1',
    '2 of many',
    'other $&',
  ]);
  expect(await talk(`${url}/dumb`, ['nothing', '$', Uint8Array.of(0xff, 0x41)], 1)).toEqual(['<$>']);
  expect(await unit.call('AT_mock_websocket_received', { path: '/feed' })).toEqual(['who', 'hush', 'many', 'other $&']);
  await expect
    .poll(() => unit.call('AT_mock_websocket_received', { path: '/dumb' }))
    .toEqual(['nothing', '$', '\uFFFDA']);
  expect(await unit.call('AT_mock_websocket_received', { path: '/none' })).toEqual([]);
});

test('refuses other paths before the handshake, and plain requests', async () => {
  await using unit = await session();
  const url = (await unit.call('AT_mock_start_websocket_server', { port: 0 })) as string;
  await expect(talk(`${url}/other`, [], 1)).rejects.toThrow('404');
  expect((await fetch(url.replace('ws', 'http'))).status).toBe(426);
  expect(await talk(url, ['echo'], 1)).toEqual(['echo']);
});

test('serves paths as people write them, and stops though a refused client keeps its side open', async () => {
  await using unit = await session();
  const routes = { '/räume': { greeting: 'welcome' }, '/%41': { greeting: 'as written' } };
  const url = (await unit.call('AT_mock_start_websocket_server', { routes, port: 0 })) as string;
  expect(await talk(`${url}/räume`, ['x'], 1)).toEqual(['welcome']);
  expect(await talk(`${url}/%41`, [], 1)).toEqual(['as written']);
  await expect.poll(() => unit.call('AT_mock_websocket_received', { path: '/räume' })).toEqual(['x']);
  await expect(talk(`${url}/%zz`, [], 1)).rejects.toThrow('404');
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.write(
    [
      'GET /other HTTP/1.1',
      'host: mock',
      'upgrade: websocket',
      'connection: upgrade',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version: 13',
      '\r\n',
    ].join('\r\n'),
  );
  await new Promise((resolve) => socket.once('data', resolve));
  try {
    const late = new Promise((resolve) => setTimeout(resolve, 5000, 'late'));
    expect(await Promise.race([unit.call('AT_mock_stop_websocket_server'), late])).not.toBe('late');
  } finally {
    socket.destroy();
  }
});

test('runs once, stops, begins empty again, and is gone with its unit', async () => {
  const unit = await session();
  const url = (await unit.call('AT_mock_start_websocket_server', { port: 0 })) as string;
  const again = await failureOf(unit.call('AT_mock_start_websocket_server', { port: 0 }));
  expect([again.facts.name, again.message, again.options.kept]).toEqual([
    'MockServerException',
    `The WebSocket mock already runs at ${url}.`,
    true,
  ]);
  await talk(url, ['one'], 1);
  await unit.call('AT_mock_stop_websocket_server');
  expect((await failureOf(unit.call('AT_mock_websocket_received', { path: '/' }))).facts.code).toBe('SVC83301');
  const next = (await unit.call('AT_mock_start_websocket_server', { port: 0 })) as string;
  expect(await unit.call('AT_mock_websocket_received', { path: '/' })).toEqual([]);
  await unit.end();
  await expect(talk(next, [], 1)).rejects.toThrow();
});

test('says why it cannot listen', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  await using unit = await session();
  const { port } = taken.address() as AddressInfo;
  expect((await failureOf(unit.call('AT_mock_start_websocket_server', { port }))).message).toContain('EADDRINUSE');
  await new Promise((resolve) => taken.close(resolve));
});

test('keeps a bounded number of frames, and puts out who sends too much', async () => {
  await using unit = await session({ settings: { gates: {}, limits: { mock_frames: 10, mock_frame_bytes: 100 } } });
  const url = (await unit.call('AT_mock_start_websocket_server', { port: 0 })) as string;
  await talk(
    url,
    Array.from({ length: 50 }, (_, index) => String(index)),
    50,
  );
  const kept = (await unit.call('AT_mock_websocket_received', { path: '/' })) as string[];
  expect([kept.length <= 11, kept.at(-1)]).toEqual([true, '49']);
  await new Promise<void>((resolve) => {
    const socket = new WebSocket(url);
    socket.on('open', () => socket.send('x'.repeat(101)));
    socket.on('close', () => resolve());
  });
});
