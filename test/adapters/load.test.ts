import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Histogram } from '#runtime/adapters/load/engine/histogram.ts';
import { mergeLoads } from '#runtime/adapters/load/engine/merge.ts';
import { runLoad } from '#runtime/adapters/load/engine/run-load.ts';
import { arrivals, levelAt } from '#runtime/adapters/load/engine/schedule.ts';
import type { LoadPlan, LoadResult } from '#schemas/types/load.ts';

import { makeCertificates, startTls } from '../commands/api/servers.ts';
import { lacks } from '../fixtures/programs.ts';

describe('the histogram', () => {
  test('finds each quantile to three digits, and is the same when its parts are merged', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_600_000_000 }), { minLength: 1, maxLength: 200 }), (values) => {
        const whole = new Histogram();
        const [left, right] = [new Histogram(), new Histogram()];
        values.forEach((value, index) => {
          whole.record(value);
          (index % 2 === 0 ? left : right).record(value);
        });
        const sorted = values.toSorted((a, b) => a - b);
        for (const share of [0.01, 0.5, 0.95, 0.99, 1]) {
          const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
          expect(Math.abs(whole.quantile(share) - exact)).toBeLessThanOrEqual(Math.max(exact * 0.001, 0));
        }
        expect(new Histogram().add(left.store()).add(right.store()).store()).toEqual(whole.store());
      }),
    );
  });

  test('of nothing says 0', () => {
    expect(new Histogram().latency()).toMatchObject({ min_ms: 0, mean_ms: 0, p95_ms: 0, max_ms: 0 });
  });
});

describe('the schedule', () => {
  test('of a constant rate, after a jump, is even', () => {
    const times = [
      ...arrivals([
        { rate: 10, seconds: 0 },
        { rate: 10, seconds: 2 },
      ]),
    ];
    expect(times).toHaveLength(20);
    times.forEach((time, index) => expect(time).toBeCloseTo((index + 1) / 10, 6));
  });

  test('of a ramp follows the area below it', () => {
    const times = [
      ...arrivals([
        { rate: 100, seconds: 2 },
        { rate: 0, seconds: 2 },
      ]),
    ];
    expect(times).toHaveLength(200);
    expect(times.filter((time) => time <= 1)).toHaveLength(25);
    expect(times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0))).toBe(true);
  });

  test('of users goes in straight lines', () => {
    const stages = [
      { level: 10, seconds: 10 },
      { level: 10, seconds: 5 },
      { level: 0, seconds: 5 },
    ];
    expect([0, 5, 12, 17.5, 30].map((at) => levelAt(stages, at))).toEqual([0, 5, 10, 5, 0]);
  });
});

async function serving<Result>(listener: RequestListener, work: (url: string) => Promise<Result>): Promise<Result> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const task = { name: '/', method: 'GET', headers: {}, weight: 1, timeout_ms: 2000 };

async function run(url: string, plan: Partial<LoadPlan>, signal = new AbortController().signal): Promise<LoadResult> {
  return await runLoad(
    {
      tasks: [{ ...task, url }],
      mode: 'sequence',
      model: {
        kind: 'closed',
        stages: [
          { users: 2, seconds: 0 },
          { users: 2, seconds: 0.3 },
        ],
      },
      seed: 1,
      grace_ms: 2000,
      ...plan,
    },
    signal,
    () => undefined,
  );
}

describe('the engine', () => {
  test.skipIf(lacks('openssl'))('takes any certificate for the requests alone that say so', async () => {
    using certificates = makeCertificates();
    await using server = await startTls(certificates, (_, response) => response.end('fine'));
    const result = await run(server.url, {
      tasks: [
        { ...task, name: 'open', url: server.url, unverified: true },
        { ...task, name: 'checked', url: server.url },
      ],
    });
    const [any, checked] = ['open', 'checked'].map((name) => result.per_endpoint.find((one) => one.name === name));
    expect(any?.failures).toBe(0);
    expect(any?.requests).toBeGreaterThan(0);
    expect(checked?.failures).toBe(checked?.requests);
    expect(Object.keys(checked?.errors ?? {})).toEqual(['UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
  });

  test('counts answers, failures by status and by reason, and bytes', async () => {
    const enough = new AbortController();
    let moved = 0;
    const result = await serving(
      (request, response) => {
        if (request.url === '/moved' && ++moved > 1) enough.abort();
        if (request.url === '/bad') response.writeHead(503).end('no');
        else if (request.url === '/cut') request.socket.destroy();
        else if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
        else response.end('fine');
      },
      (url) =>
        run(
          url,
          {
            tasks: [
              { ...task, url },
              { ...task, name: '/bad', url: `${url}/bad` },
              { ...task, name: '/wanted', url: `${url}/bad`, expect_status: 503 },
              { ...task, name: '/cut', url: `${url}/cut` },
              { ...task, name: '/moved', url: `${url}/moved`, follow: true, expect_status: 200 },
            ],
            model: {
              kind: 'closed',
              stages: [
                { users: 2, seconds: 0 },
                { users: 2, seconds: 60 },
              ],
            },
          },
          enough.signal,
        ),
    );
    const by = Object.fromEntries(result.per_endpoint.map((one) => [one.name, one]));
    expect(by['/']).toMatchObject({ failures: 0, statuses: { 200: by['/']?.requests } });
    expect(by['/bad']).toMatchObject({ failure_rate: 1, statuses: { 503: by['/bad']?.requests } });
    expect(by['/wanted']).toMatchObject({ failures: 0 });
    expect(by['/cut']).toMatchObject({ failure_rate: 1, statuses: {} });
    expect(Object.keys(by['/cut']?.errors ?? {})).toEqual(['UND_ERR_SOCKET']);
    expect(by['/moved']).toMatchObject({ failures: 0, statuses: { 200: by['/moved']?.requests } });
    const sum = result.per_endpoint.reduce((all, { requests }) => all + requests, 0);
    expect([result.totals.requests, result.histogram.count]).toEqual([sum, sum]);
    expect(result.totals.bytes).toBeGreaterThan(0);
  });

  test('lets a stall of the server be seen: requests that were due meanwhile count from when they were', async () => {
    let first = 0;
    const result = await serving(
      (_request, response) => {
        first ||= performance.now();
        const left = 300 - (performance.now() - first);
        if (left > 0) setTimeout(() => response.end(), left);
        else response.end();
      },
      (url) =>
        run(url, {
          model: {
            kind: 'open',
            most: 1,
            stages: [
              { rate: 100, seconds: 0 },
              { rate: 100, seconds: 0.5 },
            ],
          },
        }),
    );
    expect(result.totals.requests).toBe(50);
    // One connection was held for 300 ms: a quarter of the requests at least were late by more than 100 ms, though sent fast.
    expect(result.latency_overall.p50_ms).toBeGreaterThan(50);
    expect(result.service_overall.p50_ms).toBeLessThan(50);
  });

  test('fills rows into addresses, headers and JSON, and picks by weight', async () => {
    const seen: string[] = [];
    await serving(
      (request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += String(chunk)));
        request.on('end', () => {
          seen.push(`${request.url} ${String(request.headers['x-name'])} ${body}`);
          response.end();
        });
      },
      (url) =>
        run(url, {
          tasks: [
            {
              ...task,
              method: 'POST',
              url: new URL(`${url}/u/{{row.name}}`).href,
              headers: { 'x-name': '{{row.id}}', 'content-type': 'application/json' },
              body: '{"name":"{{row.name}}"}',
              weight: 1000,
            },
            { ...task, url: `${url}/rare` },
          ],
          mode: 'weighted',
          rows: [
            { id: '1', name: 'a "b"' },
            { id: '2', name: 'c/d' },
          ],
          model: {
            kind: 'closed',
            stages: [
              { users: 1, seconds: 0 },
              { users: 1, seconds: 0.5 },
            ],
          },
        }),
    );
    expect(seen.slice(0, 2)).toEqual(['/u/a%20%22b%22 1 {"name":"a \\"b\\""}', '/u/c%2Fd 2 {"name":"c/d"}']);
    expect(seen.filter((line) => line.startsWith('/rare')).length).toBeLessThan(seen.length / 10);
  });

  test('fills rows into forms, whose placeholders are encoded, and into the fields of those of several parts', async () => {
    const seen: string[] = [];
    const form = Buffer.from('--b\r\n\r\n{{row.name}}\r\n--b--').toString('base64');
    await serving(
      (request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += String(chunk)));
        request.on('end', () => {
          seen.push(body);
          response.end();
        });
      },
      (url) =>
        run(url, {
          tasks: [
            { ...task, method: 'POST', url, body: new URLSearchParams({ v: '{{row.name}}' }).toString() },
            { ...task, method: 'POST', url, body_base64: form, fills_body: true },
            { ...task, method: 'POST', url, body_base64: form },
          ],
          rows: [{ name: 'a&b=ü' }],
        }),
    );
    expect(new Set(seen)).toEqual(
      new Set(['v=a%26b%3D%C3%BC', '--b\r\n\r\na&b=ü\r\n--b--', '--b\r\n\r\n{{row.name}}\r\n--b--']),
    );
  });

  test.each(['closed', 'open'] as const)('(%s) counts as failed what was never answered in the end', async (kind) => {
    let count = 0;
    const level = kind === 'closed' ? { users: 2 } : { rate: 50 };
    const result = await serving(
      (_, response) => {
        if (count++ < 4) response.end();
      },
      (url) =>
        run(url, {
          tasks: [{ ...task, url, timeout_ms: 60_000 }],
          model: { kind, most: 2, stages: [0, 0.3].map((seconds) => ({ ...level, seconds })) } as LoadPlan['model'],
          grace_ms: 100,
        }),
    );
    expect(result.per_endpoint[0]?.statuses).toEqual({ 200: 4 });
    expect(result.per_endpoint[0]?.errors).toMatchObject({ 'never answered': 2 });
    expect(result.totals).toMatchObject({ failures: kind === 'closed' ? 2 : 11 });
  });

  test('ends what does not answer, and says so', async () => {
    const result = await serving(
      () => undefined,
      (url) =>
        run(url, {
          tasks: [{ ...task, url, timeout_ms: 50 }],
          model: {
            kind: 'closed',
            stages: [
              { users: 1, seconds: 0 },
              { users: 1, seconds: 0.12 },
            ],
          },
        }),
    );
    expect(result.per_endpoint[0]?.errors).toEqual({ timeout: result.totals.requests });
  });

  test('holds each request to its own time, also on a connection that others used before', async () => {
    const enough = new AbortController();
    let hung = 0;
    const result = await serving(
      (request, response) => {
        if (request.url === '/hangs') {
          if (++hung > 2) enough.abort();
        } else response.end('fine');
      },
      (url) =>
        run(
          url,
          {
            tasks: [
              { ...task, url },
              { ...task, url },
              { ...task, name: '/hangs', url: `${url}/hangs`, timeout_ms: 30 },
            ],
            model: {
              kind: 'closed',
              stages: [
                { users: 1, seconds: 0 },
                { users: 1, seconds: 60 },
              ],
            },
          },
          enough.signal,
        ),
    );
    const [fine, hanging] = result.per_endpoint;
    expect(fine).toMatchObject({ failures: 0 });
    expect(hanging).toMatchObject({ failures: hung, errors: { timeout: hung } });
  });

  test('yields results that can be merged without loss', async () => {
    const results = await serving(
      (_request, response) => response.end(),
      (url) => Promise.all([run(url, {}), run(url, {})]),
    );
    const merged = mergeLoads(results);
    const sum = results.reduce((all, { totals }) => all + totals.requests, 0);
    expect([merged.totals.requests, merged.histogram.count, merged.per_endpoint.length]).toEqual([sum, sum, 1]);
    expect(mergeLoads([merged]).latency_overall).toEqual(merged.latency_overall);
  });
});
