import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { generalizePath, matchPathTemplate, stripBasePath } from '#grammar/openapi/path-template.ts';
import { defaultPolicy, judge } from '#stdlib/api/reports/trend/anomaly.ts';
import { endpointKey } from '#stdlib/api/reports/trend/endpoint.ts';

import { call, failureOf, session } from '../call.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-trend-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A saved report with one request for each time. */
function report(name: string, times: readonly number[], url = 'http://shop.example/shops/12/goods/77?q=1'): string {
  const path = join(folder, name);
  const records = times.map((ms, index) => [
    `Success_Test${index + 1}`,
    { request_method: 'GET', request_url: url, request_time_sec: String(ms / 1000), text: "b'it\\xc3\\xa9\\n'" },
  ]);
  writeFileSync(path, JSON.stringify(Object.fromEntries(records)));
  return path;
}

describe('the anomaly rule', () => {
  test.each([
    ['too few runs', [80, 81, 79, 82, 300], null, null, 'insufficient_history'],
    ['small rise', [80, 83, 78, 81, 79, 85], 80, 3.3725, 'ok'],
    ['clear slowdown', [80, 83, 78, 81, 79, 160], 80, 53.96, 'anomaly'],
    ['no spread, clear rise', [60, 60, 60, 60, 60, 75], 60, null, 'anomaly'],
    ['no spread, less than 5 ms', [3, 3, 3, 3, 3, 6], 3, null, 'ok'],
    ['faster', [80, 83, 78, 81, 79, 20], 80, -40.47, 'ok'],
    ['noisy history', [80, 140, 40, 130, 50, 120, 150], 100, 0.9636, 'ok'],
    ['exactly 20 percent, no spread', [100, 100, 100, 100, 100, 120], 100, null, 'anomaly'],
  ])('%s', (_, values, median, z, status) => {
    const verdict = judge('GET /', values, defaultPolicy);
    expect(verdict).toMatchObject({ baseline_median: median, status, latest: values.at(-1) });
    if (z === null) expect(verdict.robust_z).toBeNull();
    else expect(verdict.robust_z).toBeCloseTo(z, 3);
  });

  test('looks at the window only, and the score must be above its limit', () => {
    const slowOnce = [...Array.from({ length: 30 }, () => 500), 80, 83, 78, 81, 79, 160];
    expect(judge('x', slowOnce, { ...defaultPolicy, window: 5 }).status).toBe('anomaly');
    expect(judge('x', slowOnce, defaultPolicy).status).toBe('ok');
    const values = [80, 83, 78, 81, 79, 110];
    const { robust_z: z } = judge('x', values, defaultPolicy);
    expect(judge('x', values, { ...defaultPolicy, threshold: z ?? 0 }).status).toBe('ok');
  });
});

describe('the limits of the anomaly rule', () => {
  test.each([
    ['10 percent', [50, 50, 50, 50, 50, 55], { min_increase: 0.1 }, 'anomaly'],
    ['milliseconds', [3.2, 3.2, 3.2, 3.2, 3.2, 8.2], {}, 'anomaly'],
    ['less than 10 percent', [50, 50, 50, 50, 50, 54.999], { min_increase: 0.1 }, 'ok'],
  ])('count from where they are: %s', (_, values, policy, status) => {
    expect(judge('x', values, { ...defaultPolicy, ...policy }).status).toBe(status);
  });
});

describe('an endpoint', () => {
  test.each([
    ['http://h/shops/12/goods/77?x=1#f', [], 'GET /shops/{id}/goods/{id2}'],
    ['http://h/v2/goods/newest', [], 'GET /v2/goods/newest'],
    ['http://h', [], 'GET /'],
    ['http://h/a/0123456789abcdef/b', [], 'GET /a/{id}/b'],
    ['http://h/a/6f9619ff-8b86-d011-b42d-00cf4fc964ff', [], 'GET /a/{id}'],
    ['http://h/goods/newest', ['/goods/{name}', '/{x}/newest', '/goods/newest'], 'GET /goods/newest'],
    ['http://h/goods/7', ['/goods/{name}', '/{x}/{y}'], 'GET /goods/{name}'],
    ['http://h/goods/', ['/goods/{name}'], 'GET /goods/'],
  ])('%s with %j is %s', (request_url, templates, key) => {
    expect(endpointKey({ request_url }, templates)).toBe(key);
  });

  test('takes parameters inside of segments', () => {
    expect(matchPathTemplate('/a/x.b.json', ['/a/{name}.json', '/a/{whole}'])).toBe('/a/{name}.json');
    expect(matchPathTemplate('/a/.json', ['/a/{name}.json'])).toBeUndefined();
    expect(generalizePath('/1/2/x')).toBe('/{id}/{id2}/x');
    expect(['/apix', '/api/x', '/api'].map((path) => stripBasePath(path, '/api/'))).toEqual(['/apix', '/x', '/']);
  });
});

describe('a trend file', () => {
  test('gives each run a row for each endpoint, and the verdict of the rule', async () => {
    const db_path = join(folder, 'new', 'trend.sqlite');
    for (const [index, ms] of [80, 83, 78, 81, 79].entries())
      await call('AT_record_endpoint_latencies', { db_path, report_paths: [report(`${index}.json`, [ms, 1, 2])] });
    await call('AT_record_endpoint_latencies', {
      db_path,
      report_paths: [report('other.json', [5], 'http://h/other')],
    });
    expect(await call('AT_detect_latency_anomalies', { db_path })).toMatchObject([{ endpoint: 'GET /other' }]);
    const last = await call('AT_record_endpoint_latencies', {
      db_path,
      run_label: 'build 9',
      templates: ['/shops/{shop}/goods/{good}', '/shops/{id}/goods/{id2}'],
      report_paths: [report('last.json', [160])],
    });
    expect(last).toMatchObject({ run_label: 'build 9', endpoints: 1 });
    const database = new DatabaseSync(db_path);
    const rows = database.prepare('SELECT * FROM trend_endpoint_samples ORDER BY id').all();
    database.close();
    expect(rows).toHaveLength(7);
    expect(rows[0]).toMatchObject({
      sample_count: 3,
      p50_ms: 2,
      p95_ms: 80,
      max_ms: 80,
      endpoint: 'GET /shops/{id}/goods/{id2}',
    });

    const judged = { db_path, policy: { metric: 'max_ms' } };
    await call('AT_record_endpoint_latencies', { db_path, report_paths: [report('again.json', [160])] });
    const [verdict] = (await call('AT_detect_latency_anomalies', judged)) as Record<string, unknown>[];
    expect(verdict).toMatchObject({
      endpoint: 'GET /shops/{id}/goods/{id2}',
      latest: 160,
      baseline_median: 80,
      status: 'anomaly',
    });
    const error = await failureOf(call('AT_assert_no_latency_anomalies', { ...judged, metric: 'p95_ms' }));
    expect(error.facts).toMatchObject({ code: 'SVC84013', name: 'APIAssertException', kinds: ['assertion'] });
    expect(error.message).toContain('GET /shops/{id}/goods/{id2} p95_ms 160.0 ms (median 80.0 ms)');
    await expect(call('AT_assert_no_latency_anomalies', { ...judged, threshold: 1000 })).resolves.toHaveLength(1);

    const output_path = join(folder, 'pages', 'trend.html');
    await call('AT_generate_trend_report', { ...judged, output_path });
    const page = readFileSync(output_path, 'utf8');
    expect(page).toContain('class="anomaly"');
    expect(page.match(/<svg/g)).toHaveLength(1);
    expect(page).toContain('160.0');
  });

  test('takes over a file of the same tables that has no version', async () => {
    const db_path = join(folder, 'old.sqlite');
    const database = new DatabaseSync(db_path);
    database.exec(
      'CREATE TABLE trend_runs (id INTEGER PRIMARY KEY AUTOINCREMENT, captured_at TEXT NOT NULL, success_count INTEGER NOT NULL, failure_count INTEGER NOT NULL, avg_elapsed REAL NOT NULL)',
    );
    database.exec("INSERT INTO trend_runs VALUES (1, '2026-01-01T00:00:00Z', 3, 1, 0.5)");
    database.close();
    const earlier = { captured_at: '2026-01-01T00:00:00Z', success_count: 3, failure_count: 1, avg_elapsed: 0.5 };
    expect(await call('AT_list_trend_rows', { db_path })).toEqual([earlier]);
    expect(await call('AT_detect_latency_anomalies', { db_path })).toEqual([]);
    await call('AT_record_current_run', { db_path });
    expect(await call('AT_list_trend_rows', { db_path })).toMatchObject([
      { success_count: 0, avg_elapsed: 0 },
      earlier,
    ]);
    const now = new DatabaseSync(db_path);
    expect(now.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    now.close();
  });

  test('of a later version is left alone', async () => {
    const db_path = join(folder, 'later.sqlite');
    const database = new DatabaseSync(db_path);
    database.exec('PRAGMA user_version = 9');
    database.close();
    expect((await failureOf(call('AT_record_current_run', { db_path }))).facts.code).toBe('SVC84011');
    expect((await failureOf(call('AT_list_trend_rows', { db_path }))).facts.code).toBe('SVC84011');
  });

  test('that is missing is not made by looking at it', async () => {
    const db_path = join(folder, 'none.sqlite');
    expect(await call('AT_list_trend_rows', { db_path })).toEqual([]);
    expect(await call('AT_detect_latency_anomalies', { db_path })).toEqual([]);
    expect(await call('AT_record_endpoint_latencies', { db_path })).toMatchObject({ endpoints: 0 });
    expect(() => readFileSync(db_path)).toThrow(/ENOENT/);
  });

  test('counts what passed and what failed', async () => {
    const db_path = join(folder, 'counts.sqlite');
    await using unit = await session();
    await unit.step('AT_test_api_method', { http_method: 'get', test_url: 'http://127.0.0.1:1/' });
    await unit.step('AT_test_api_method', { http_method: 'get', test_url: 'relative' });
    await unit.call('AT_record_current_run', { db_path });
    expect(await unit.call('AT_list_trend_rows', { db_path })).toMatchObject([{ success_count: 0, failure_count: 2 }]);
  });
});
