import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { AllureResult } from '#schemas/types/allure.ts';
import { nodeHost } from '#runtime/hosts/node.ts';

import { call, failureOf, session, type Session } from '../call.ts';
import { lacks } from '../../fixtures/programs.ts';
import { readAllure } from '../../fixtures/read-allure.ts';
import { startHttp, type Started } from './servers.ts';

let folder = '';
let server: Started;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-report-'));
  server = await startHttp((request, response) => {
    const bad = request.url?.startsWith('/bad') ?? false;
    const moved = request.url?.startsWith('/moved') ?? false;
    response.writeHead(bad ? 500 : moved ? 303 : 200, {
      ...(moved ? { location: '/good' } : {}),
      'content-type': 'text/html',
      'set-cookie': 'sid=0123456789abcdef; HttpOnly',
    });
    response.end('<script>alert("&")</script> | \u0001 end');
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** One request that passed, one that failed, one that could not be sent. */
async function recorded(unit: Session): Promise<void> {
  const get = (test_url: string): Promise<unknown> =>
    unit.step('AT_test_api_method', { http_method: 'get', test_url, headers: { 'X-Api-Key': 'a-very-secret-key' } });
  await get(`${server.url}/good?a=1|2`);
  await get(`${server.url}/bad`);
  await get('nowhere');
}

describe('reports', () => {
  test('hold what passed and what failed, escaped and without secrets', async () => {
    await using unit = await session();
    await recorded(unit);
    const at = (name: string): string => join(folder, 'all', name);
    await unit.call('AT_generate_html_report', { html_file_name: at('api') });
    await unit.call('AT_generate_json_report', { json_file_name: at('api') });
    await unit.call('AT_generate_xml_report', { xml_file_name: at('api') });
    await unit.call('AT_generate_markdown_report', { file_name: at('api.md') });
    await unit.call('AT_generate_badge', { file_name: at('badge.json'), label: 'jobs' });
    await unit.call('AT_generate_junit_report', { file_name: at('junit.xml'), suite_name: 'a "suite"' });
    const read = (name: string): string => readFileSync(at(name), 'utf8');

    const successes = JSON.parse(read('api_success.json')) as Record<string, Record<string, string>>;
    expect(successes['Success_Test1']).toMatchObject({
      status_code: '200',
      request_method: 'GET',
      request_url: `${server.url}/good?a=1|2`,
      encoding: 'utf-8',
      request_body: 'None',
      text: '<script>alert("&")</script> | \u0001 end',
      content: '<script>alert("&")</script> | \u0001 end',
    });
    expect(JSON.parse(successes['Success_Test1']?.['headers'] ?? '')).toMatchObject({ 'content-type': 'text/html' });
    expect(JSON.parse(read('api_failure.json'))).toMatchObject({
      Failure_Test1: { http_method: 'get', test_url: `${server.url}/bad`, soap: 'false', status_code: '500' },
      Failure_Test2: { test_url: 'nowhere', error: expect.stringContaining('nowhere') as string },
    });
    expect(read('api.html')).toContain('&lt;script&gt;alert("&amp;")&lt;/script&gt;');
    expect(read('api.html')).not.toContain('<script');
    expect(read('api.md')).toContain(`| GET | ${server.url}/good?a=1\\|2 | 200 |`);
    expect(read('api.md')).toContain('**Failures:** 2');
    expect(read('api.md').split('## Failed requests')[1]).toContain(`| GET | ${server.url}/bad |`);
    expect(JSON.parse(read('badge.json'))).toEqual({
      schemaVersion: 1,
      label: 'jobs',
      message: '1/3 passing',
      color: 'red',
    });
    expect(read('junit.xml')).toContain('tests="3" failures="1" errors="1"');
    const seconds = [...read('junit.xml').matchAll(/<testcase[^>]* time="([^"]*)"/g)].map(([, time]) => Number(time));
    expect(seconds.length).toBe(3);
    expect(Math.max(...seconds)).toBeLessThan(60);
    for (const name of readdirSync(join(folder, 'all'))) {
      expect(read(name), name).not.toContain('a-very-secret-key');
      expect(read(name), name).not.toContain('0123456789abcdef');
    }
  });

  test('say of a failed call what its client has as parameters', async () => {
    await using unit = await session();
    for (const name of ['AT_test_api_method', 'AT_test_api_method_httpx'])
      await unit.step(name, { http_method: 'get', test_url: `${server.url}/bad` });
    const [, failures] = (await unit.call('AT_generate_json')) as Record<string, Record<string, string>>[];
    expect(Object.values(failures ?? {}).map(({ soap }) => soap)).toEqual(['false', 'None']);
  });

  test('name exchanges of other protocols by their address, and give them their time', async () => {
    await using unit = await session();
    const { url } = (await unit.call('AT_start_mock_server', { port: 0 })) as { readonly url: string };
    await unit.call('AT_mock_add_event_stream', { rule: '/slow', events: [{ data: 'a' }], interval_seconds: 0.05 });
    await unit.call('AT_test_api_method_sse', { url: `${url}/slow`, max_events: 1 });
    const routes = { '/mute': { fallback: null } };
    const base = (await unit.call('AT_mock_start_websocket_server', { routes, port: 0 })) as string;
    const said = { messages: ['a'], expected_replies: 1, timeout: 0.2 };
    await unit.step('AT_test_api_method_websocket', { ...said, url: `${base}/mute` });
    const [, failures] = (await unit.call('AT_generate_json')) as Record<string, Record<string, string>>[];
    expect(failures?.['Failure_Test1']).toMatchObject({ test_url: 'None', url: `${base}/mute` });
    const path = (await unit.call('AT_generate_junit_report', { file_name: join(folder, 'other.xml') })) as string;
    const cases = [...readFileSync(path, 'utf8').matchAll(/<testcase name="([^"]*)"[^>]* time="([^"]*)"/g)];
    expect(cases.map(([, name]) => name)).toEqual([`${url}/slow`, `${base}/mute`]);
    expect(Math.min(...cases.map(([, , time]) => Number(time)))).toBeGreaterThan(0.04);
  });

  test('show the bytes of a body around a secret in it', async () => {
    await using echo = await startHttp(({ headers }, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ before: 'grün', key: headers['x-api-key'], after: 'more' }));
    });
    await using unit = await session();
    const request = { http_method: 'get', test_url: echo.url, headers: { 'X-Api-Key': 'a-very-secret-key' } };
    await unit.call('AT_test_api_method', request);
    const [successes] = (await unit.call('AT_generate_json')) as Record<string, Record<string, string>>[];
    expect(successes?.['Success_Test1']?.['content']).toBe('{"before":"grün","key":"***","after":"more"}');
  });

  test.skipIf(lacks('xmllint'))('in XML are well formed', async () => {
    await using unit = await session();
    await recorded(unit);
    await unit.call('AT_generate_xml_report', { xml_file_name: join(folder, 'well') });
    await unit.call('AT_generate_junit_report', { file_name: join(folder, 'well.xml') });
    const files = ['well_success.xml', 'well_failure.xml', 'well.xml'].map((name) => join(folder, name));
    expect(() => execFileSync('xmllint', ['--noout', ...files])).not.toThrow();
    const form = fileURLToPath(new URL('../../reporters/formats/junit.xsd', import.meta.url));
    const junit = join(folder, 'well.xml');
    expect(() => execFileSync('xmllint', ['--noout', '--schema', form, junit], { stdio: 'pipe' })).not.toThrow();
  });

  test('as result files have measured times and a lasting identity', async () => {
    await using unit = await session();
    await recorded(unit);
    const paths = (await unit.call('AT_generate_reportfmt_report', { directory: join(folder, 'results') })) as string[];
    const again = (await unit.call('AT_generate_reportfmt_report', { directory: join(folder, 'results') })) as string[];
    const read = (path: string | undefined): Record<string, unknown> =>
      JSON.parse(readFileSync(path ?? '', 'utf8')) as Record<string, unknown>;
    expect(paths.map((path) => read(path)['status'])).toEqual(['passed', 'failed', 'broken']);
    expect(readdirSync(join(folder, 'results'))).toHaveLength(6);
    const [first, second] = [read(paths[0]), read(again[0])];
    expect(first['uuid']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(second['historyId']).toBe(first['historyId']);
    expect(second['uuid']).not.toBe(first['uuid']);
    expect(Math.abs(Number(first['start']) - Date.now())).toBeLessThan(60_000);
    expect(Number(first['stop'])).toBeGreaterThanOrEqual(Number(first['start']));
    const folderOfResults = new Map(paths.map((path) => [basename(path), readFileSync(path, 'utf8')]));
    const { results, unknown } = await readAllure(folderOfResults);
    expect(unknown).toEqual([]);
    const name = `GET ${server.url}/good?a=1|2`;
    expect(results).toMatchObject([
      {
        name,
        fullName: name,
        testId: first['historyId'],
        historyId: first['historyId'],
        status: 'passed',
        parameters: [
          { name: 'method', value: 'GET' },
          { name: 'status_code', value: '200' },
        ],
        labels: [{ name: 'framework', value: 'svc' }],
      },
      { status: 'failed', message: expect.stringContaining('500') as string, trace: '' },
      { status: 'broken', name: 'GET nowhere' },
    ]);
    const form = new URL('../../reporters/formats/result-file.json', import.meta.url);
    const fits = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(form, 'utf8')) as object);
    for (const path of paths) {
      fits(read(path));
      expect(fits.errors).toBe(null);
    }
  });

  test('stand below the folder that a launcher names', async () => {
    const host = nodeHost();
    await using unit = await session({
      host: { ...host, env: { ...host.env, SVC_ARTIFACT_DIR: join(folder, 'artifacts') } },
    });
    expect(await unit.call('AT_generate_badge', { file_name: 'b.json' })).toBe(join(folder, 'artifacts', 'b.json'));
  });

  test('drop the oldest bodies when there are too many, and say so', async () => {
    await using unit = await session({ settings: { limits: { request_log_bytes: 8000 } } });
    for (let index = 0; index < 6; index++)
      await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${server.url}/${index}` });
    const text = (await unit.call('AT_render_markdown')) as string;
    expect(text).toContain('**Older requests that are not shown:** 3');
    expect(text).not.toContain('/2 |');
    expect(text).toContain('/5 |');
    await expect(unit.call('AT_assert_sla', {})).resolves.toBeUndefined();
  });
});

describe('AT_diff_runs', () => {
  const save = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const failed = (...urls: string[]): unknown =>
    Object.fromEntries(
      urls.map((test_url, index) => [`Failure_Test${index + 1}`, { http_method: 'session_get', test_url }]),
    );
  const passed = (...urls: string[]): unknown =>
    Object.fromEntries(
      urls.map((request_url, index) => [`Success_Test${index + 1}`, { request_method: 'GET', request_url }]),
    );

  test('knows only failures where there are no success files', async () => {
    const [previous, current] = [save('one.json', failed('/a', '/b')), save('two.json', failed('/b', '/c'))];
    expect(await call('AT_diff_runs', { previous_failure_json: previous, current_failure_json: current })).toEqual({
      new_failures: ['GET /c'],
      new_passes: ['GET /a'],
      still_failing: ['GET /b'],
      still_passing: [],
    });
  });

  test('lists as passing what really ran again', async () => {
    const [previous, current] = [save('p_failure.json', failed('/a', '/b')), save('c_failure.json', failed())];
    save('p_success.json', passed('/x', '/y'));
    save('c_success.json', passed('/a', '/x'));
    expect(await call('AT_diff_runs', { previous_failure_json: previous, current_failure_json: current })).toEqual({
      new_failures: [],
      new_passes: ['GET /a'],
      still_failing: [],
      still_passing: ['GET /x'],
    });
  });

  test('knows a request again that passes under another address than it was written with', async () => {
    const requests = [
      { http_method: 'get', test_url: `${server.url}/q`, params: { a: 'ü', b: [1, 2] } },
      { http_method: 'get', test_url: `${server.url}/w?b={"a":1}#part` },
      { http_method: 'session_post', test_url: `${server.url}/moved`, allow_redirects: true },
    ];
    const run = async (name: string, wanted: string): Promise<string> => {
      await using unit = await session();
      for (const request of requests)
        await unit.step('AT_test_api_method', { ...request, result_check_dict: { encoding: wanted } });
      await unit.call('AT_generate_json_report', { json_file_name: join(folder, name) });
      const files = (await unit.call('AT_generate_reportfmt_report', { directory: join(folder, name) })) as string[];
      identities.push(files.map((file) => (JSON.parse(readFileSync(file, 'utf8')) as AllureResult).historyId));
      return join(folder, `${name}_failure.json`);
    };
    const identities: string[][] = [];
    const [bad, good] = [await run('written-bad', 'none'), await run('written-good', 'utf-8')];
    const names = [
      `GET ${server.url}/q?a=%C3%BC&b=1&b=2`,
      `GET ${server.url}/w?b={%22a%22:1}`,
      `POST ${server.url}/moved`,
    ];
    const diff = async (previous: string, current: string): Promise<unknown> =>
      await call('AT_diff_runs', { previous_failure_json: previous, current_failure_json: current });
    expect(await diff(bad, good)).toMatchObject({ new_passes: names, new_failures: [], still_passing: [] });
    expect(await diff(good, bad)).toMatchObject({ new_passes: [], new_failures: names });
    expect(await diff(good, good)).toMatchObject({ still_passing: names });
    expect(identities[0]).toEqual(identities[1]);
  });

  test('names a file that is no report', async () => {
    const broken = save('broken.json', ['no report']);
    const error = await failureOf(
      call('AT_diff_runs', { previous_failure_json: broken, current_failure_json: broken }),
    );
    expect(error.facts).toMatchObject({ code: 'SVC84002', name: 'APIJsonReportException' });
    expect(error.message).toContain('broken.json');
  });
});
