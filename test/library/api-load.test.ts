import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as svc from '#compiler/library/api.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-api-load-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wrong = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing went wrong',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('load tests of a program', () => {
  it('are made of actions and of records', async () => {
    const options = { params: { a: 1 }, json: { b: [1] }, timeout: 3, verify: false, allow_redirects: true };
    const plan = await svc.actions_to_load_plan({
      svc: [
        [
          'AT_test_api_method',
          { http_method: 'POST', test_url: 'http://x/a?q=1', ...options, result_check_dict: { status_code: 201 } },
        ],
        ['AT_test_api_method_httpx', { http_method: 'get', test_url: '/relative' }],
        ['AT_set_variable', { name: 'a', value: 1 }],
        ['AT_test_api_method', ['get', 'http://x/']],
      ],
    });
    expect(plan.tasks).toEqual([
      {
        method: 'post',
        request_url: 'http://x/a?q=1',
        name: 'POST /a',
        ...options,
        assertions: [{ type: 'status_code', value: 201 }],
      },
    ]);
    expect(plan.skipped).toHaveLength(3);
    const headers = { authorization: 'Bearer secret' };
    const records = [
      { request_method: 'GET', request_url: 'http://x/b', status_code: '404', headers, request_headers: headers },
      { request_method: 'GET', request_url: '/relative' },
    ];
    expect(svc.records_to_load_plan(records)).toEqual({
      tasks: [
        {
          method: 'get',
          request_url: 'http://x/b',
          name: 'GET /b',
          assertions: [{ type: 'status_code', value: 404 }],
        },
      ],
      skipped: [expect.stringContaining('1 record')],
    });
  });

  it('are documents with a profile, and are judged by their summaries', () => {
    const task = { method: 'get', request_url: 'http://x/', name: 'GET /' };
    expect(svc.build_load_test([task], { user_count: 3 })).toEqual({
      loadgen: [
        [
          'LG_start_test',
          {
            user_detail_dict: { user: 'fast_http_user' },
            tasks: { mode: 'sequence', tasks: [task] },
            user_count: 3,
            spawn_rate: 5,
            test_time: 60,
          },
        ],
      ],
    });
    expect(() => svc.build_load_test([], null)).toThrow(expect.objectContaining({ name: 'APITesterException' }));
    for (const profile of [{ user_count: 0 }, { users: 5 }, { mode: 'random' }, { user: 'x' }])
      expect(() => svc.build_load_test([task], profile as object)).toThrow(RangeError);
    for (const limits of [{ max_p95: 5 }, { max_p95_ms: -1 }])
      expect(() => svc.check_summary({}, limits)).toThrow(RangeError);
    const limits = { max_failure_rate: 0.1, max_p95_ms: 100, min_requests: 10 };
    const summary = { totals: { requests: 9, failure_rate: 0.2 }, latency_overall: { p95_ms: 101 } };
    const problems = svc.check_summary(summary, limits);
    expect(problems.map((one) => /requests? ran|failure rate|percentile/.exec(one)?.[0])).toEqual([
      'requests ran',
      'failure rate',
      'percentile',
    ]);
    const kept = { totals: { requests: 10, failure_rate: 0.1 }, latency_overall: { p95_ms: 100 } };
    expect(svc.check_summary(kept, limits)).toEqual([]);
    expect(svc.check_summary({}, null)).toHaveLength(1);
    expect(svc.check_summary({}, { min_requests: 0, max_p95_ms: 1 })).toEqual([]);
  });

  it('run in a process of their own', { timeout: 60_000 }, async () => {
    await svc.http_mock_server(async (mock) => {
      await mock.add_route('/a', () => 'ok');
      const { tasks } = await svc.actions_to_load_plan([
        ['AT_test_api_method', { http_method: 'get', test_url: `${mock.url}/a`, auth: ['me', 'secret'] }],
      ]);
      const document = svc.build_load_test(tasks, { user_count: 2, spawn_rate: 100, test_time: 1 });
      const work_dir = join(folder, 'work');
      const done = await svc.run_load_test_document(document, { work_dir, thresholds: { min_requests: 1e9 } });
      expect(done).toMatchObject({ ok: false, problems: [expect.stringContaining('ran')], returncode: 0, work_dir });
      expect(done.summary).toMatchObject({ totals: { failures: 0 } });
      expect(existsSync(join(work_dir, 'report.html'))).toBe(true);
      expect(readFileSync(join(work_dir, 'load.json'), 'utf8')).not.toContain('secret');
    });
    const unlimited = { loadgen: [['LG_start_test', { tasks: { tasks: [{}] }, test_time: 0 }]] };
    expect(await wrong(svc.run_load_test_document(unlimited as never))).not.toBe('nothing went wrong');
    for (const broken of [{}, { loadgen: [] }, { loadgen: [['LG_start_test', { tasks: { tasks: [{}] } }]] }])
      expect(await wrong(svc.run_load_test_document(broken as never))).toMatch(/^APITesterException/);
  });
});
