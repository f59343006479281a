import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as svc from '#compiler/library/api.ts';

/** The functions of the specification's API part that are no commands, by family. */
const names: Readonly<Record<string, string>> = {
  spec: 'build_openapi load_report_records decode_body generalize_path match_path_template server_base_path strip_base_path example_value fill_path success_status request_body_example documented_operations check_records_against_spec uncovered_spec missing_test_actions infer_spec_from_tests schema_errors',
  contract:
    'new_contract add_interaction interaction_from_record contract_from_records read_contract save_contract body_mismatches header_mismatches verify_contract_object interaction_problems verify_interaction check_contract_object_against_openapi',
  trend:
    'endpoint_key endpoint_stats judge sparkline percentile record_latency_ms endpoint_history render_trend_report',
  request:
    'render_value extract_from_payload cassette_items scaffold_action_list convert_openapi test_api_method_httpx_async test_api_method_websocket_async test_api_method_graphql_async iter_sse_events check_result build_request_action apply_to_requests_kwargs apply_to_httpx_kwargs dns_override replay_or_record compute_delay retry_call convert_collection convert_spec_file fuzz_value_pool',
  records:
    'get_run_context use_run_context capture append snapshot to_json from_legacy_record validate_request_record serialize_request_record request_record_schema collect_records',
  load: 'actions_to_load_plan records_to_load_plan build_load_test check_summary run_load_test_document',
  variables: 'variable_delete variable_snapshot',
  data: 'iter_csv_rows iter_json_rows collect_rows',
  executor: 'callback_function strip_runner_metadata',
  files:
    'get_dir_files_as_list read_action_json write_action_json reformat_json reformat_xml_file dict_to_elements_tree elements_tree_to_dict xml_parser',
  project: 'create_project_dir generate_completion_script repl_loop',
  report: 'render_badge build_pr_comment_body render_terminal_summary artifact_path',
  mock: 'json_match static_response read_mock_config apply_mock_config websocket_mock_server grpc_mock_server fault_injector_configure mock_state_get mock_state_set mock_state_delete mock_state_clear mock_state_snapshot webhook_all webhook_latest webhook_clear stop_protocol_mocks is_grpc_available',
  tracing: 'instrument_request init_tracing shutdown_tracing is_otel_available',
  ai: 'complete build_ai_backend set_ai_backend ai_backend static_ai_backend parse_json_reply',
};

/** Names that are not there, with the reason. */
const left: Readonly<Record<string, string>> = {
  'add_command_to_executor allow_packages set_allow_arbitrary_packages':
    '`ActionExecutor` of `svc/files` adds functions, `settings` open gates and list packages (decision 0009)',
  clean_record: 'each call has a record of its own; those of a session are emptied by the parameter `clean_record`',
  dynamic_router_add: '`add_dynamic_route` of an HTTP mock takes the rules of a route',
  start_socket_server: '`svc server` serves lists over TCP, with a secret',
  'history_push environment_upsert render_side_by_side build_api_document_page': 'the GUI',
};

describe('svc/api', () => {
  const library: Readonly<Record<string, unknown>> = svc;
  for (const name of Object.values(names).flatMap((row) => row.split(' '))) {
    it(`has ${name}`, () => expect(library[name]).toBeTypeOf('function'));
  }

  for (const name of Object.keys(left).flatMap((row) => row.split(' ')))
    it(`does not have ${name}`, () => expect(library).not.toHaveProperty(name));

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

  it('reads documents and compares records with them', async () => {
    expect(svc.documented_operations(spec)).toEqual(['GET /goods/{id}', 'POST /goods']);
    expect(svc.server_base_path(spec)).toBe('/api');
    const report = svc.check_records_against_spec([record], spec);
    expect(report).toMatchObject({ ok: true, coverage: 0.5, uncovered: ['POST /goods'] });
    expect(await svc.missing_test_actions(spec, report)).toEqual([
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
    expect(svc.convert_openapi(spec, { base_url: '' })[0]?.[1]).toMatchObject({
      test_url: 'https://shop.example/api/goods/1',
    });
    const op = spec.paths['/goods'].post;
    expect(svc.request_body_example(op, spec)).toEqual({ n: 1 });
    const shared = { definitions: { name: { type: 'string', enum: ['a'] } } };
    expect(svc.example_value({ $ref: '#/definitions/name' }, shared)).toBe('a');
    expect(svc.schema_errors(1, { $ref: '#/definitions/name' }, shared, { path: 'x' })).toEqual([
      'x: expected string, got integer',
    ]);
    expect(svc.fill_path('/a/{x}/{constructor}/{y}', { x: 'b c/d' })).toBe('/a/b%20c%2Fd/1/1');
    expect(svc.decode_body({ a: 1 })).toEqual(['application/json', { a: 1 }]);
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
    const contract = svc.contract_from_records([record], 'web', 'goods', { base_path: '/api' });
    const request = { method: 'delete', path: '/goods/7' };
    const more = { provider_state: 'there is a good', matching_rules: null };
    const added = svc.add_interaction(contract, 'another', request, { status: 204 }, more);
    expect(added).toEqual({
      description: 'another',
      providerState: 'there is a good',
      request: { method: 'DELETE', path: '/goods/7' },
      response: { status: 204 },
    });
    expect(contract.interactions[1]).toBe(added);
    const refused = { name: 'APIContractException' };
    for (const [description, asked, answered] of [
      ['another', { method: 'GET', path: '/' }, { status: 200 }],
      ['no path', { method: 'GET' }, { status: 200 }],
      ['no method', { path: '/' }, { status: 200 }],
      ['no status', { method: 'GET', path: '/' }, {}],
      ['a path of another kind', { method: 'GET', path: 'x' }, { status: 200 }],
      ['', { method: 'GET', path: '/' }, { status: 200 }],
    ] as const)
      expect(() => svc.add_interaction(contract, description, asked as never, answered as never)).toThrow(
        expect.objectContaining(refused),
      );
    expect(contract.interactions).toHaveLength(2);
    const path = join(folder, 'new', 'contract.json');
    expect(await svc.save_contract(contract, path)).toBe(path);
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
    expect(svc.header_mismatches({ A: '1' }, {}, { rules: null })).toEqual(['header "A" is missing']);
    expect(svc.body_mismatches({ a: 1 }, { a: 1 }, { rules: null })).toEqual([]);
    const pattern = (regex: string): object => ({ '$.body.a': { match: 'regex', regex } });
    expect(svc.body_mismatches({ a: 'x' }, { a: 'ABC' }, { rules: pattern('(?i)abc') as never })).toEqual([]);
    expect(() => svc.body_mismatches({ a: 'x' }, { a: 'y' }, { rules: pattern('(') as never })).toThrow(svc.Failure);
    const lost = await svc.verify_contract_object(svc.new_contract('a', 'b'), { base_url: 'http://127.0.0.1:1' });
    expect(lost).toEqual({ ok: false, consumer: 'a', provider: 'b', interactions: [] });
  });

  it('judges times', () => {
    expect(svc.endpoint_key(record)).toBe('GET /api/goods/{id}');
    expect(svc.endpoint_stats([record], { templates: ['/api/goods/{good}'] })).toMatchObject([
      { endpoint: 'GET /api/goods/{good}', p95_ms: 250 },
    ]);
    expect(svc.judge('x', [60, 60, 60, 60, 60, 75]).status).toBe('anomaly');
    expect(() => svc.judge('x', [1], { policy: { window: 2 } })).toThrow(RangeError);
    expect(() => svc.judge('x', [])).toThrow(RangeError);
    const slow = [80, 83, 78, 81, 79, 160];
    expect(svc.judge('x', slow, { policy: { threshold: undefined as never } }).status).toBe('anomaly');
    for (const policy of [{ metric: 'p99' }, { treshold: 9 }, { window: 0, min_history: 0 }, { threshold: -1 }])
      expect(() => svc.judge('x', slow, { policy: policy as object })).toThrow(RangeError);
    expect(svc.percentile([3, 1, 2], 50)).toBe(2);
    expect(svc.percentile([], 50)).toBe(0);
    expect(() => svc.percentile([1], 101)).toThrow(RangeError);
    expect(svc.record_latency_ms({})).toBeNull();
    expect(svc.sparkline([1, 2])).toMatch(/^<svg .*#0969da/);
    expect(svc.sparkline([])).toBe('');
    expect(() => svc.sparkline([1, Number.NaN])).toThrow(RangeError);
    const many = Array.from({ length: 200_000 }, (_, index) => index);
    expect(svc.sparkline(many)).toContain('200000 runs');
  });

  it('fills, extracts and converts', async () => {
    expect(svc.render_value({ a: '{{x.y}}' }, { store: { x: { y: 1 } } })).toEqual({ a: 1 });
    expect(() => svc.render_value('{{z}}', { strict: true })).toThrow(/z/);
    expect(svc.extract_from_payload({ a: [1] }, 'a[0]')).toBe(1);
    expect(await svc.cassette_items(join(folder, 'none.json'))).toEqual([]);
    expect(svc.render_value('{{z}}', { store: null })).toBe('');
    expect(svc.scaffold_action_list('http://x/', { method: 'POST' })).toMatchObject([
      ['AT_test_api_method', { http_method: 'post', test_url: 'http://x/', tags: ['smoke'] }],
      ['AT_assert_sla', { sla: { max_ms: 2000, p95_ms: 1500 } }],
    ]);
    expect(await svc.convert_curl('curl http://x/')).toMatchObject({
      action: ['AT_test_api_method', { test_url: 'http://x/' }],
      lost: [],
      secrets: [],
    });
    await expect(svc.convert_curl('wget')).rejects.toMatchObject({ name: 'APITesterException' });
    expect(svc.convert_har({})).toEqual([]);
  });
});
