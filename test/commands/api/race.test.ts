import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { failureOf, session } from '../call.ts';
import { makeCertificates, startHttp, startRaw, startTls } from './servers.ts';
import { behindDigest } from '../../fixtures/digest-server.ts';
import { lacks } from '../../fixtures/programs.ts';

interface Race {
  readonly spread_ms: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly answers: readonly ({ readonly text: string; readonly status_code: number } | null)[];
  readonly errors: readonly { readonly index: number; readonly error: string }[];
}

test('a voucher that is looked at first and taken later is taken by all that arrive together, within 1 ms of one another', async () => {
  let left = 1;
  const sockets = new Set<unknown>();
  const waiting: (() => void)[] = [];
  await using server = await startHttp((request, response) => {
    sockets.add(request.socket);
    const isThere = left > 0;
    waiting.push(() => {
      if (isThere) left -= 1;
      response.writeHead(isThere ? 200 : 409).end(request.headers['x-name']);
    });
    if (waiting.length === 20) for (const take of waiting.splice(0)) take();
  });
  await using unit = await session();
  const ran: Race[] = [];
  // A machine that is busy may stop any one of them between two requests.
  for (let tries = 0; tries < 10 && !ran.some(({ spread_ms: spread }) => spread <= 1); tries++) {
    left = 1;
    sockets.clear();
    const requests = ['ada', 'bob'].map((name) => ({
      http_method: 'post',
      test_url: server.url,
      headers: { 'X-Name': name },
    }));
    ran.push((await unit.call('AT_race_requests', { requests, copies: 10, within_ms: 1000 })) as Race);
    expect(sockets.size).toBe(20);
  }
  const best = ran.at(-1);
  expect(best?.spread_ms).toBeLessThanOrEqual(1);
  expect(best?.statuses).toEqual({ 200: 20 });
  expect(best?.answers.map((answer) => answer?.text)).toEqual([...Array(10).fill('ada'), ...Array(10).fill('bob')]);
  await unit.call('AT_assert_sla', { sla: { max_ms: 60_000 } });
});

test('a race that is wider than allowed fails with what was answered', async () => {
  await using server = await startHttp((_, response) => response.end('done'));
  await using unit = await session();
  const requests = [{ http_method: 'get', test_url: server.url }];
  const error = await failureOf(unit.call('AT_race_requests', { requests, copies: 50, within_ms: 0.0001 }));
  expect(error.facts).toMatchObject({ code: 'SVC83036', class: 'transient' });
  expect(error.options.result).toMatchObject({ statuses: { 200: 50 } });
  const many = unit.call('AT_race_requests', { requests: [...requests, ...requests], copies: 51 });
  expect((await failureOf(many)).facts.code).toBe('SVC83037');
});

test('nothing is sent unless all can connect; one that breaks off later is told, and all of them fail the step', async () => {
  let seen = 0;
  await using server = await startHttp((_, response) => {
    seen += 1;
    response.end('done');
  });
  await using cutting = await startRaw((socket) => void socket.once('data', () => socket.destroy()));
  await using unit = await session();
  const get = (url: string): object => ({ http_method: 'session_get', test_url: url });
  const closed = unit.call('AT_race_requests', { requests: [get(server.url), get('http://127.0.0.1:1/')] });
  expect((await failureOf(closed)).facts.code).toBe('SVC83006');
  expect(seen).toBe(0);
  const half = { requests: [get(cutting.url), get(server.url)], within_ms: 1000 };
  expect(await unit.call('AT_race_requests', half)).toMatchObject({
    statuses: { 200: 1 },
    answers: [null, { text: 'done' }],
    errors: [{ index: 0, error: expect.stringContaining(cutting.url) }],
  });
  const all = unit.call('AT_race_requests', { requests: [get(cutting.url)], within_ms: 1000 });
  expect((await failureOf(all)).facts.code).toBe('SVC83008');
});

test.skipIf(lacks('openssl'))('connections with TLS race like others', async () => {
  using certificates = makeCertificates();
  await using server = await startTls(certificates, (_, response) => response.end('done'));
  await using unit = await session();
  const requests = [{ http_method: 'get', test_url: server.url }];
  const raced = await unit.call('AT_race_requests', { requests, copies: 5, within_ms: 1000, verify: certificates.ca });
  expect(raced).toMatchObject({ statuses: { 200: 5 }, errors: [] });
});

test('files and Digest logins race too: each has a challenge of its own, asked for before', async () => {
  const bodies: string[] = [];
  const answer = behindDigest((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.end('taken');
    });
  });
  await using server = await startHttp(answer);
  await using unit = await session();
  const race = (await unit.call('AT_race_requests', {
    requests: [
      {
        http_method: 'post',
        test_url: `${server.url}/upload?a=1`,
        files: { file: resolve('LICENSE') },
        data: { n: 'x' },
        auth: ['ada', 'secret'],
        auth_scheme: 'digest',
      },
    ],
    copies: 5,
    within_ms: 1000,
  })) as Race;
  expect(race.statuses).toEqual({ 200: 5 });
  expect(bodies).toHaveLength(5);
  for (const body of bodies) expect(body).toMatch(/name="n"\r\n\r\nx\r\n[^]*filename="LICENSE"[^]*Apache License/);
});
