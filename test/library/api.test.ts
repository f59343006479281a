import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as svc from '#compiler/library/api.ts';

/** The functions of the specification's API part that are no commands, by family. */
const names: Readonly<Record<string, string>> = {
  spec: 'build_openapi load_report_records decode_body generalize_path match_path_template server_base_path strip_base_path example_value fill_path success_status request_body_example documented_operations check_records_against_spec uncovered_spec missing_test_actions infer_spec_from_tests schema_errors',
  contract:
    'new_contract add_interaction interaction_from_record contract_from_records read_contract save_contract body_mismatches header_mismatches verify_contract_object interaction_problems check_contract_object_against_openapi',
  trend:
    'endpoint_key endpoint_stats judge sparkline percentile record_latency_ms endpoint_history render_trend_report',
  request:
    'render_value extract_from_payload cassette_items scaffold_action_list convert_openapi test_api_method_httpx_async test_api_method_websocket_async test_api_method_graphql_async iter_sse_events check_result build_request_action apply_to_requests_kwargs apply_to_httpx_kwargs dns_override replay_or_record compute_delay retry_call convert_collection convert_spec_file fuzz_value_pool',
  records:
    'get_run_context use_run_context capture append snapshot to_json from_legacy_record validate_request_record serialize_request_record request_record_schema collect_records',
  report: 'render_badge build_pr_comment_body render_terminal_summary artifact_path',
  mock: 'json_match static_response read_mock_config apply_mock_config websocket_mock_server grpc_mock_server',
  tracing: 'instrument_request init_tracing shutdown_tracing',
  ai: 'complete build_ai_backend set_ai_backend ai_backend static_ai_backend parse_json_reply',
};

describe('svc/api', () => {
  const library: Readonly<Record<string, unknown>> = svc;
  for (const name of Object.values(names).flatMap((row) => row.split(' '))) {
    it(`has ${name}`, () => expect(library[name]).toBeTypeOf('function'));
  }

  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-api-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const spec = {
    openapi: '3.1.0',
    info: { title: 'Goods', version: '2' },
    servers: [{ url: 'https://shop.example/api/' }],
    paths: {
      '/goods/{id}': {
        parameters: [],
        get: { responses: { '200': { content: { 'application/json': { schema: { required: ['id'] } } } } } },
      },
      '/goods': {
        post: {
          requestBody: { content: { 'application/json': { schema: { properties: { n: { type: 'integer' } } } } } },
          responses: { '201': {} },
        },
      },
    },
  };
  const record = {
    request_method: 'GET',
    request_url: 'https://shop.example/api/goods/7',
    status_code: '200',
    text: '{"id":7}',
    elapsed: 0.25,
  };

  it('reads documents and compares records with them', () => {
    expect(svc.documented_operations(spec)).toEqual(['GET /goods/{id}', 'POST /goods']);
    expect(svc.server_base_path(spec)).toBe('/api');
    const report = svc.check_records_against_spec([record], spec);
    expect(report).toMatchObject({ ok: true, coverage: 0.5, uncovered: ['POST /goods'] });
    expect(svc.missing_test_actions(spec, report)).toEqual([
      [
        'AT_test_api_method',
        {
          http_method: 'post',
          test_url: 'https://shop.example/api/goods',
          json: { n: 1 },
          result_check_dict: { status_code: 201 },
        },
      ],
    ]);
    expect(Object.keys(svc.uncovered_spec(spec, report.uncovered)['paths'] as object)).toEqual(['/goods']);
    expect(svc.infer_spec_from_tests([record], spec)).toMatchObject({
      info: { title: 'Goods' },
      paths: { '/goods/{id}': { get: {} } },
    });
    expect(svc.convert_openapi(spec, { base_url: 'http://127.0.0.1:1' })[1]?.[1]).toMatchObject({
      test_url: 'http://127.0.0.1:1/goods',
    });
    expect(svc.success_status({ responses: { '404': {}, '202': {}, '201': {} } })).toBe(201);
    expect(svc.request_body_example(spec.paths['/goods'].post)).toEqual({ n: 1 });
    expect(svc.schema_errors(1, { type: 'string' }, { path: 'x' })).toEqual(['x: expected string, got integer']);
    expect([
      svc.decode_body('{"a":1}'),
      svc.decode_body('a'),
      svc.decode_body(null),
      svc.decode_body(Uint8Array.of(255)),
    ]).toEqual([['application/json', { a: 1 }], ['text/plain', 'a'], null, null]);
  });

  it('reads saved reports', async () => {
    const path = join(folder, 'saved.json');
    writeFileSync(path, JSON.stringify([record]));
    expect(await svc.load_report_records(path)).toMatchObject([{ request_method: 'GET' }]);
    expect(await svc.build_openapi({ report_paths: [path], title: 't' })).toMatchObject({
      info: { title: 't' },
      paths: { '/api/goods/7': {} },
    });
    await expect(svc.load_report_records(join(folder, 'none.json'))).rejects.toMatchObject({
      name: 'APIJsonReportException',
    });
  });

  it('makes, keeps and compares contracts', async () => {
    const contract = svc.add_interaction(
      svc.contract_from_records([record], 'web', 'goods', { base_path: '/api' }),
      'another',
      { method: 'delete', path: '/goods/7' },
      { status: 204 },
      { provider_state: 'there is a good' },
    );
    expect(() => svc.add_interaction(contract, 'another', { method: 'GET', path: '/' }, { status: 200 })).toThrow(
      RangeError,
    );
    const path = join(folder, 'new', 'contract.json');
    await svc.save_contract(contract, path);
    expect(await svc.read_contract(path)).toEqual(contract);
    expect(svc.check_contract_object_against_openapi(contract, spec)).toMatchObject({
      ok: false,
      problems: [{ interaction: 'another' }],
    });
    expect(contract.interactions.map((one) => svc.interaction_problems(one, spec).length)).toEqual([0, 1]);
    expect(svc.interaction_from_record(record)).toMatchObject({ description: 'GET /api/goods/7 -> 200' });
    expect(
      svc.body_mismatches({ a: 'x' }, { a: 'y' }, { rules: { '$.body.a': { match: 'regex', regex: '[xy]' } } }),
    ).toEqual([]);
    expect(svc.header_mismatches({ A: '1' }, {})).toEqual(['header "A" is missing']);
    const lost = await svc.verify_contract_object(svc.new_contract('a', 'b'), 'http://127.0.0.1:1');
    expect(lost).toEqual({ ok: false, consumer: 'a', provider: 'b', interactions: [] });
  });

  it('judges times', () => {
    expect(svc.endpoint_key(record)).toBe('GET /api/goods/{id}');
    expect(svc.endpoint_stats([record], { templates: ['/api/goods/{good}'] })).toMatchObject([
      { endpoint: 'GET /api/goods/{good}', p95_ms: 250 },
    ]);
    expect(svc.judge('x', [60, 60, 60, 60, 60, 75]).status).toBe('anomaly');
    expect(() => svc.judge('x', [], { policy: { window: 2 } })).toThrow(RangeError);
    expect(svc.percentile([3, 1, 2], 50)).toBe(2);
    expect(svc.record_latency_ms({})).toBeNull();
    expect(svc.sparkline([1, 2])).toMatch(/^<svg /);
  });

  it('fills, extracts and converts', async () => {
    expect(svc.render_value({ a: '{{x.y}}' }, { store: { x: { y: 1 } } })).toEqual({ a: 1 });
    expect(() => svc.render_value('{{z}}', { strict: true })).toThrow(/z/);
    expect(svc.extract_from_payload({ a: [1] }, 'a[0]')).toBe(1);
    expect(await svc.cassette_items(join(folder, 'none.json'))).toEqual([]);
    expect(svc.scaffold_action_list('http://x/', { method: 'POST' })[0]?.[1]).toMatchObject({ http_method: 'post' });
    expect(await svc.convert_curl('curl http://x/')).toMatchObject({
      action: ['AT_test_api_method', { test_url: 'http://x/' }],
      lost: [],
      secrets: [],
    });
    await expect(svc.convert_curl('wget')).rejects.toMatchObject({ name: 'APITesterException' });
    expect(svc.convert_har({})).toEqual([]);
  });
});
