import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { HttpRequest } from '#runtime/adapters/http/port.ts';

import { openClient } from './port-context.ts';
import { makeCertificates, startRaw, startTls } from '../commands/api/servers.ts';
import { lacks } from '../fixtures/programs.ts';

const [looked, shook, answered, ended] = [50, 60, 70, 80];
/** Timers may be early by less than a millisecond. */
const early = 1;

/** Name servers that take their time for one name, and know it. */
const { lookup } = dns;
beforeAll(() => {
  const slow = (host: string, options: dns.LookupOptions, callback: (...found: unknown[]) => void): void => {
    if (host !== 'phases.test') return lookup(host, options, callback as never);
    const found = options.all === true ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4];
    setTimeout(() => callback(null, ...found), looked);
  };
  dns.lookup = slow as unknown as typeof dns.lookup;
  syncBuiltinESMExports();
});
afterAll(() => {
  dns.lookup = lookup;
  syncBuiltinESMExports();
});

test.skipIf(lacks('openssl'))('each phase of a request has the time that it took, and no time of another', async () => {
  using certificates = makeCertificates();
  await using server = await startTls(certificates, (_, response) => {
    setTimeout(() => {
      response.writeHead(200, { 'content-length': 4 }).write('fi');
      setTimeout(() => response.end('ve'), ended);
    }, answered);
  });
  // The handshake goes through a door that opens late.
  await using door = await startRaw((socket) => {
    socket.pause();
    setTimeout(() => {
      const inner = connect(server.port, '127.0.0.1', () => socket.pipe(inner).pipe(socket));
      inner.on('error', () => socket.destroy());
    }, shook);
  });
  await using client = await openClient();
  const send = async (): Promise<{
    dns?: number;
    connect?: number;
    tls?: number;
    first_byte: number;
    total: number;
  }> => {
    const answer = await client.http.send({
      method: 'GET',
      url: new URL(`https://phases.test:${door.port}/`),
      headers: {},
      verify: false,
      timeout_ms: 30_000,
      signal: new AbortController().signal,
    });
    return answer.timings;
  };
  const { dns: name = 0, connect: made = -1, tls = 0, first_byte: first, total } = await send();
  expect(name).toBeGreaterThanOrEqual(looked - early);
  expect(made).toBeGreaterThanOrEqual(0);
  expect(tls).toBeGreaterThanOrEqual(shook - early);
  // Time that was counted twice would not fit into the time until the first byte.
  expect(name + made + tls + answered - early).toBeLessThanOrEqual(first + early);
  expect(first + ended - early).toBeLessThanOrEqual(total + early);
  const again = await send();
  expect([again.dns, again.connect, again.tls]).toEqual([undefined, undefined, undefined]);
  expect(again.first_byte).toBeGreaterThanOrEqual(answered - early);
});

test('each phase has a time limit of its own, which the phase before does not use up', async () => {
  await using silent = await startRaw(() => undefined);
  let waits = answered;
  await using server = await startRaw((socket) => {
    socket.on('data', () => setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), waits));
  });
  await using client = await openClient();
  const send = async (url: string, phases_ms: HttpRequest['phases_ms'], proxy?: string): Promise<number> => {
    const signal = new AbortController().signal;
    const proxies = proxy === undefined ? {} : { all: proxy };
    const request = { method: 'GET', url: new URL(url), headers: {}, timeout_ms: 30_000, signal, verify: false };
    return (await client.http.send({ ...request, proxies, ...(phases_ms && { phases_ms }) })).status;
  };
  const late = (phase: string): string => `the phase "${phase}" took longer than 0.03 s`;
  const named = `http://phases.test:${server.port}/`;
  const mute = `http://127.0.0.1:${silent.port}`;
  await expect(send(named, { dns: 30 })).rejects.toThrow(late('dns'));
  await expect(send(mute.replace('http', 'https'), { dns: 1, connect: 5000, tls: 30 })).rejects.toThrow(late('tls'));
  await expect(send('https://far.test/', { tls: 1, connect: 30 }, mute)).rejects.toThrow(late('connect'));
  await expect(send(named, { first_byte: 30 })).rejects.toThrow(late('first_byte'));
  waits = 0;
  expect(await send(named, { dns: 5000, connect: 5000, first_byte: looked - 10 })).toBe(204);
  waits = answered;
  await expect(send(named, { connect: 1, first_byte: 30 })).rejects.toThrow(late('first_byte'));
});
