import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as svc from '#compiler/library/api.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-functions-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wrong = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing went wrong',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('small functions', () => {
  it('build and compare', () => {
    expect(svc.build_request_action('POST', 'http://x/', { body: [1], headers: {}, options: { timeout: 2 } })).toEqual([
      'AT_test_api_method',
      { http_method: 'post', test_url: 'http://x/', json: [1], timeout: 2 },
    ]);
    expect(svc.build_request_action('get', 'http://x/', { body: 'a', headers: { A: '1' } })[1]).toEqual({
      http_method: 'get',
      test_url: 'http://x/',
      headers: { A: '1' },
      data: 'a',
    });
    svc.check_result({ a: 1 }, { a: 1, b: null });
    expect(() => svc.check_result({ a: 1 }, { a: true })).toThrow('The field "a" is 1, not true.');
    svc.check_result({}, { constructor: null });
    const kwargs = { verify: true, cert: 'x', timeout: 1 };
    expect(
      svc.apply_to_requests_kwargs({ cert: ['a', 'b'], proxies: { all: 'http://p' }, verify: false }, kwargs),
    ).toEqual({
      verify: true,
      cert: ['a', 'b'],
      proxies: { all: 'http://p' },
      timeout: 1,
    });
    expect(svc.apply_to_httpx_kwargs({ verify: false }, {})).toEqual({ verify: false });
    expect(kwargs.cert).toBe('x');
    const pool = svc.fuzz_value_pool({ a: 1, b: 2 }, ['a']);
    expect(pool.length).toBeGreaterThan(10);
    expect(pool.every((one) => one['b'] === 2 && typeof one['a'] === 'string')).toBe(true);
    expect(svc.artifact_path('/x/a.html')).toBe('/x/a.html');
  });

  it('import documents', async () => {
    const collection = {
      info: { name: 'c', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [{ name: 'folder', item: [{ name: 'one', request: { method: 'GET', url: 'http://x/' } }] }],
    };
    expect(svc.convert_collection(collection)).toMatchObject([['AT_test_api_method', { http_method: 'get' }]]);
    const path = join(folder, 'collection.json');
    writeFileSync(path, JSON.stringify(collection));
    expect(await svc.convert_spec_file(path, 'collection')).toHaveLength(1);
    expect(await wrong(svc.convert_spec_file(path, 'x' as 'openapi'))).toMatch(/^APITesterException/);
    const variable = [{ key: 'base', value: 'http://x/v1' }];
    const item = [{ name: 'one', request: { method: 'GET', url: '{{base}}/{{other}}' } }];
    expect(svc.convert_collection({ ...collection, variable, item })[0]?.[1]).toMatchObject({
      test_url: 'http://x/v1/{{other}}',
    });
    const document = {
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      servers: [{ url: 'http://x/v2' }],
      paths: { '/a/{id}': { get: { responses: { 204: { description: '' } } } } },
    };
    writeFileSync(path, JSON.stringify(document));
    expect(await svc.convert_spec_file(path, 'openapi')).toEqual([
      [
        'AT_test_api_method',
        { http_method: 'get', test_url: 'http://x/v2/a/1', result_check_dict: { status_code: 204 } },
      ],
    ]);
    expect(await wrong(svc.convert_spec_file(join(folder, 'none'), 'openapi'))).toMatch(/^APITesterException/);
  });

  it('ask a language model where one is chosen', async () => {
    expect(await svc.build_ai_backend().complete('x')).toBe('');
    expect(() => svc.build_ai_backend({ name: 'other' })).toThrow(/there is no backend "other"/);
    expect(() => svc.build_ai_backend({ model: 'm' })).toThrow(/noop/);
    expect(() => svc.build_ai_backend({ name: 'provider', effort: 'huge' as 'high' })).toThrow(/"huge"/);
    expect(() => svc.build_ai_backend({ name: 'provider', model: '' })).toThrow(/no name/);
    expect(() => svc.set_ai_backend({} as svc.AiBackendObject)).toThrow(/complete/);
    svc.set_ai_backend(svc.static_ai_backend({ response: '```json\n{"a":1}\n```' }));
    expect(svc.parse_json_reply(await svc.complete('x'))).toEqual({ a: 1 });
    expect(svc.ai_backend().name).toBe('static');
    expect(() => svc.parse_json_reply('no')).toThrow(SyntaxError);
    const spec = { paths: { '/a': { get: {} }, '/b': { get: {} } } };
    const missing = (): Promise<unknown> => svc.missing_test_actions(spec, { uncovered: ['GET /a'] });
    const own = ['AT_test_api_method', { http_method: 'get', test_url: 'http://x/a' }] as const;
    const asked: unknown[] = [];
    const answers = [JSON.stringify([own]), '[["FA_delete_file", {"file_path": "/"}]]', ''];
    svc.set_ai_backend({
      name: 'own',
      complete: (_prompt, context) => {
        asked.push(context);
        return answers.shift() ?? '';
      },
    });
    const plain = [['AT_test_api_method', expect.objectContaining({ test_url: '/a' })]];
    expect([await missing(), await missing(), await missing()]).toEqual([[own], plain, plain]);
    expect(asked[0]).toEqual({ paths: { '/a': { get: {} } } });
    expect(await svc.missing_test_actions(spec, { uncovered: [] })).toEqual([]);
    svc.set_ai_backend(svc.build_ai_backend());
  });

  it('read trends', async () => {
    const path = join(folder, 'trend.sqlite');
    expect(await svc.endpoint_history({ db_path: path })).toEqual({});
    expect(await svc.render_trend_report({ db_path: path })).toContain('<html');
    const saved = join(folder, 'saved.json');
    writeFileSync(saved, JSON.stringify([{ request_method: 'GET', request_url: 'http://x/a', elapsed: 0.25 }]));
    await svc.call('AT_record_endpoint_latencies', { db_path: path, report_paths: [saved], run_label: 'one' });
    expect(await svc.endpoint_history({ db_path: path })).toMatchObject({
      'GET /a': [{ run_label: 'one', sample_count: 1, p95_ms: 250 }],
    });
    expect(await svc.render_trend_report({ db_path: path })).toContain('GET /a');
    expect(() => svc.render_trend_report({ policy: { window: 2 } })).toThrow(RangeError);
    expect(() => svc.render_trend_report({ limit_runs: 0 })).toThrow(RangeError);
    for (const policy of [{ metric: '1 AS value --' }, { windw: 9 }, { min_history: 0 }, { threshold: -1 }])
      expect(() => svc.render_trend_report({ db_path: path, policy: policy as never })).toThrow(RangeError);
  });
});
