import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Script } from 'node:vm';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { LoadResult } from '#schemas/types/load.ts';

import { behindDigest } from '../../fixtures/digest-server.ts';
import { lacks } from '../../fixtures/programs.ts';
import { failureOf, session } from '../call.ts';
import type { Session } from '../call.ts';
import { startHttp } from './servers.ts';
import type { Started } from './servers.ts';

let folder = '';
let server: Started;
let unit: Session;
let seen: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-load-'));
  server = await startHttp((request, response) => {
    seen.push(`${request.method} ${request.url} ${String(request.headers['authorization'])}`);
    response.writeHead(request.url === '/bad' ? 500 : 200).end('ok');
  });
  unit = await session({
    root: folder,
    host: nodeHost({ cwd: folder, env: { ...process.env, BASE: server.url, API_TOKEN: 't-123456789' } }),
  });
});
afterAll(async () => {
  await unit.end();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function actions(text: string): string {
  const path = join(folder, 'actions.yaml');
  writeFileSync(path, `actions:\n${text}`);
  return path;
}

const call = (path: string, more = ''): string =>
  `- AT_test_api_method: { http_method: get, test_url: '\${env:BASE}${path}', headers: { Authorization: 'Bearer \${env:API_TOKEN}' }${more} }\n`;
const short = { user_count: 2, spawn_rate: 1000, test_time: 1 };

interface Report {
  readonly ok: boolean;
  readonly problems: readonly string[];
  readonly summary: LoadResult;
  readonly work_dir: string;
  readonly skipped: readonly string[];
}

describe('a load test', () => {
  test('runs in a process of its own, is judged, and leaves its files', async () => {
    seen = [];
    const action_file = actions(
      `${call('/jobs?a=1')}- AT_set_variable: { name: a, value: 1 }\n- [AT_test_api_method, [get, /x]]\n`,
    );
    const report = (await unit.call('AT_run_load_test', {
      action_file,
      profile: short,
      thresholds: { max_failure_rate: 0, max_p95_ms: 5000, min_requests: 5 },
    })) as Report;
    expect([report.ok, report.problems, report.skipped.length]).toEqual([true, [], 2]);
    expect(report.summary.totals.requests).toBe(seen.length);
    expect(seen[0]).toBe('GET /jobs?a=1 Bearer t-123456789');
    expect(JSON.parse(readFileSync(join(report.work_dir, 'summary.json'), 'utf8'))).toEqual(report.summary);
    expect(readFileSync(join(report.work_dir, 'report.html'), 'utf8')).toContain('All thresholds hold.');
    expect(readFileSync(join(report.work_dir, 'load.json'), 'utf8')).not.toContain('t-123456789');
  });

  test('sends files, and answers Digest challenges', async () => {
    const bodies = new Set<string>();
    let challenged = 0;
    const digest = behindDigest((request, response) => {
      void text(request).then((body) => {
        bodies.add(body.replaceAll(/svc-[0-9a-f]{32}/g, 'BOUNDARY'));
        response.end('ok');
      });
    });
    await using shop = await startHttp((request, response) => {
      if (request.headers.authorization === undefined) challenged += 1;
      digest(request, response);
    });
    writeFileSync(join(folder, 'a.bin'), 'bytes of a file');
    const action_file = actions(
      `- AT_test_api_method: { http_method: post, test_url: '${shop.url}/up?x=1', files: { f: a.bin }, data: { n: 1 }, auth: [ada, secret], auth_scheme: digest }\n`,
    );
    const report = (await unit.call('AT_run_load_test', { action_file, profile: short })) as Report;
    expect(report).toMatchObject({ ok: true, summary: { totals: { failures: 0 } } });
    expect(challenged).toBeGreaterThanOrEqual(report.summary.totals.requests);
    expect([...bodies]).toEqual([
      expect.stringMatching(/name="n"\r\n\r\n1\r\n[^]*filename="a.bin"[^]*bytes of a file\r\n--BOUNDARY--/),
    ]);
    const kept = readFileSync(join(report.work_dir, 'load.json'), 'utf8');
    expect(kept).toContain('"f": "a.bin"');
    expect(kept).toContain('"${ENV.API_PASSWORD}"');
    expect(kept).not.toContain('"secret"');
    const script = unit.call('AT_write_load_test', { output_path: join(folder, 'none.js'), action_file });
    expect((await failureOf(script)).message).toContain('sends files');
  });

  test('sends forms and queries as a single request does, and refuses columns that no row has', async () => {
    const got = new Set<string>();
    await using shop = await startHttp((request, response) => {
      void text(request).then((body) => {
        got.add(`${request.url} ${body}`);
        response.end();
      });
    });
    const post = (more: string): string =>
      `- AT_test_api_method: { http_method: post, test_url: '${shop.url}/f', ${more} }\n`;
    const plain = actions(post("params: '?a=1', data: { list: [1, b], none: null, n: 1 }"));
    await unit.call('AT_run_load_test', { action_file: plain, profile: short });
    expect([...got]).toEqual(['/f?a=1 list=1&list=b&n=1']);
    const rows = join(folder, 'rows.csv');
    writeFileSync(rows, 'id\n7\n');
    const refused = async (column: string, data: string | null): Promise<string> => {
      const action_file = actions(post(`json: { q: '\${ROW.${column}}' }`));
      return (await failureOf(unit.call('AT_run_load_test', { action_file, profile: short, data }))).message;
    };
    expect(await refused('id', null)).toContain('speak of ${ROW.id}, and no data is given');
    expect(await refused('nmae', rows)).toContain(`speak of \${ROW.nmae}, which row 1 of "${rows}" lacks`);
  });

  test('fails for what exceeds a limit, with all figures as its result', async () => {
    const failure = await failureOf(
      unit.call('AT_run_load_test', {
        action_file: actions(call('/bad') + call('/jobs')),
        profile: { rate: 50, test_time: 1, most_at_once: 5 },
        thresholds: { max_failure_rate: 0.1, min_requests: 60 },
      }),
    );
    expect([failure.facts.name, failure.message]).toEqual([
      'APIAssertException',
      'The load test does not hold: 50 requests ran, at least 60 must; the failure rate is 50 %, at most 10 % is allowed.',
    ]);
    expect((failure.options.result as Report).summary.totals.failures).toBe(25);
  });

  test.each([
    [{ rate: 5, stages: [{ seconds: 1, rate: 1 }] }, 'both rate and stages'],
    [
      {
        stages: [
          { seconds: 1, rate: 1 },
          { seconds: 1, users: 1 },
        ],
      },
      'some of its stages',
    ],
    [{ think_seconds: [2, 1] }, 'larger number first'],
  ])('refuses the profile %j before anything is sent', async (profile, words) => {
    const failure = await failureOf(unit.call('AT_run_load_test', { action_file: actions(call('/jobs')), profile }));
    expect([failure.facts.code, failure.message]).toEqual(['SVC84101', expect.stringContaining(words)]);
  });

  test('ends with its process when its step runs out of time', async () => {
    const given = { action_file: actions(call('/jobs')), profile: { ...short, test_time: 600 } };
    const { failure } = await unit.step('AT_run_load_test', given, { timeout_s: 1.5 });
    expect(failure?.facts.code).toBe('SVC80002');
  });

  test('without a request is a failure that says what was left out', async () => {
    const failure = await failureOf(
      unit.call('AT_run_load_test', {
        action_file: actions('- AT_test_api_method: { http_method: get, test_url: /rel }\n'),
      }),
    );
    expect([failure.facts.code, failure.message]).toEqual(['SVC84100', expect.stringContaining('/rel')]);
  });
});

const withLogins = (): string =>
  actions(
    `- AT_test_api_method: { http_method: post, test_url: '${server.url}/in?api_key=k-123456789', auth: [ada, p-123456789], cookies: { session_token: c-123456789, theme: dark }, json: { password: j-123456789, n: 1 } }\n` +
      `- AT_test_api_method: { http_method: get, test_url: '${server.url}/out', headers: { Authorization: 'Bearer \${env:API_TOKEN}', X-Api-Key: h-123456789 }, params: { token: '\${ENV.API_TOKEN}' } }\n`,
  );

describe('a load file', () => {
  test('holds requests, assertions and the profile', async () => {
    const output_path = join(folder, 'made/load.json');
    await unit.call('AT_write_load_test', {
      output_path,
      action_file: actions(call('/jobs', ', result_check_dict: { status_code: 201 }, json: { a: 1 }')),
      profile: { ...short, mode: 'weighted' },
    });
    expect(JSON.parse(readFileSync(output_path, 'utf8'))).toMatchObject({
      loadgen: [
        [
          'LG_start_test',
          {
            user_detail_dict: { user: 'fast_http_user' },
            tasks: {
              mode: 'weighted',
              tasks: [
                {
                  method: 'get',
                  request_url: `${server.url}/jobs`,
                  name: 'GET /jobs',
                  json: { a: 1 },
                  assertions: [{ type: 'status_code', value: 201 }],
                },
              ],
            },
            user_count: 2,
            spawn_rate: 1000,
            test_time: 1,
          },
        ],
      ],
    });
  });

  test('never holds a login: what is secret is a name of the environment, which its reader fills', async () => {
    const action_file = withLogins();
    const written = await Promise.all(
      ['safe.json', 'safe.js', 'safe.py'].map(async (name) => {
        await unit.call('AT_write_load_test', { output_path: join(folder, name), action_file });
        return readFileSync(join(folder, name), 'utf8');
      }),
    );
    for (const text of written) {
      expect(text).not.toMatch(/123456789|YWRhOn/);
      for (const kept of ['Basic ${ENV.BASIC_AUTH}', 'Bearer ${ENV.API_TOKEN}', '${ENV.API_KEY}', 'dark'])
        expect(text).toContain(kept);
    }
    expect(written[0]).toContain('"password": "${ENV.PASSWORD}"');
    expect(JSON.stringify(unit.evidence)).toContain('API_KEY\\nAPI_TOKEN\\nBASIC_AUTH');
    const [, script = ''] = written;
    const plain = script.replace(/^import .*$/gm, '').replace(/^export (default )?/gm, '');
    const read = new Script(`${plain.replace('function ()', 'function main()')}; tasks`);
    const env = new Proxy({}, { get: (_, name) => `<${String(name)}>` });
    const tasks = read.runInNewContext({ __ENV: env, console }) as {
      url: string;
      headers: Record<string, string>;
      body: string;
    }[];
    expect(tasks[0]).toMatchObject({
      url: `${server.url}/in?api_key=<API_KEY>`,
      headers: { authorization: 'Basic <BASIC_AUTH>', cookie: 'session_token=<COOKIE_SESSION_TOKEN>; theme=dark' },
      body: '{"password":"<PASSWORD>","n":1}',
    });
    expect(tasks[1]?.url).toBe(`${server.url}/out?token=<API_TOKEN>`);
  });

  test.skipIf(lacks('python3'))('for Locust reads them from the environment', async () => {
    await unit.call('AT_write_load_test', { output_path: join(folder, 'read.py'), action_file: withLogins() });
    const python = `import sys, types
locust = types.ModuleType("locust"); contrib = types.ModuleType("locust.contrib"); fast = types.ModuleType("locust.contrib.fasthttp")
locust.between = lambda *a: None; locust.task = lambda f: f; locust.HttpUser = object; locust.FastHttpUser = object; fast.FastHttpUser = object
sys.modules.update({"locust": locust, "locust.contrib": contrib, "locust.contrib.fasthttp": fast})
names = {}; exec(open(sys.argv[1]).read(), names); print(names["TASKS"][0]["url"], names["TASKS"][1]["headers"]["authorization"])`;
    const env = {
      ...process.env,
      API_KEY: 'k',
      API_TOKEN: 't',
      BASIC_AUTH: 'b',
      PASSWORD: 'p',
      COOKIE_SESSION_TOKEN: 'c',
      X_API_KEY: 'x',
    };
    const said = execFileSync('python3', ['-c', python, join(folder, 'read.py')], { env, encoding: 'utf8' });
    expect(said.trim()).toBe(`${server.url}/in?api_key=k Bearer t`);
  });

  test.skipIf(lacks('python3'))('a run with Locust hands logins over in memory: no file ever holds them', async () => {
    const modules = join(folder, 'modules');
    mkdirSync(join(modules, 'locust/contrib'), { recursive: true });
    const stub = 'between = lambda *a: None; task = lambda f: f; HttpUser = FastHttpUser = object';
    writeFileSync(join(modules, 'locust/__init__.py'), stub);
    writeFileSync(join(modules, 'locust/contrib/__init__.py'), '');
    writeFileSync(join(modules, 'locust/contrib/fasthttp.py'), stub);
    writeFileSync(
      join(modules, 'locust/__main__.py'),
      `import json, sys
text = open(sys.argv[sys.argv.index("-f") + 1]).read(); names = {"__name__": "locustfile"}; exec(text, names)
head = "Type,Name,Request Count,Failure Count,Average Response Time,Requests/s"
open(sys.argv[sys.argv.index("--csv") + 1] + "_stats.csv", "w").write(head + "\\n,Aggregated,4,0,2,9\\n")
open("seen.json", "w").write(json.dumps({"argv": sys.argv, "text": text, "tasks": names["TASKS"]}))`,
    );
    const python = join(folder, 'python');
    writeFileSync(python, `#!/bin/sh\nPYTHONPATH='${modules}' exec python3 "$@"\n`, { mode: 0o755 });
    const report = (await unit.call('AT_run_load_test', {
      action_file: withLogins(),
      python,
      profile: short,
    })) as Report;
    expect(report).toMatchObject({ ok: true, summary: { totals: { requests: 4 } } });
    const { argv, text, tasks } = JSON.parse(readFileSync(join(report.work_dir, 'seen.json'), 'utf8')) as {
      readonly argv: readonly string[];
      readonly text: string;
      readonly tasks: readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
    };
    expect(argv[1]).toBe('--headless');
    expect(`${argv.join(' ')} ${text}`).not.toMatch(/123456789|YWRhOn/);
    expect(text).toBe(readFileSync(join(report.work_dir, 'locustfile.py'), 'utf8'));
    expect(tasks[1]).toMatchObject({ headers: { authorization: 'Bearer t-123456789' } });
    expect(tasks[0]?.url).toContain('api_key=k-123456789');
  });

  test('of what was recorded brings each status as the expected one', async () => {
    await using own = await session({ root: folder });
    await own.call('AT_test_api_method', { http_method: 'post', test_url: `${server.url}/made`, data: 'x' });
    const output_path = join(folder, 'recorded.json');
    await own.call('AT_write_load_test', { output_path });
    expect(readFileSync(output_path, 'utf8')).toContain('"value": 200');
  });

  test('of what was recorded sends bodies with their media type, also from a saved report', async () => {
    await using echo = await startHttp(({ headers }, response) => {
      response.writeHead(/^application\/(?:merge-patch\+)?json$/.test(headers['content-type'] ?? '') ? 201 : 415).end();
    });
    await using own = await session({ root: folder, host: nodeHost({ cwd: folder }) });
    const base = { http_method: 'post', test_url: echo.url, result_check_dict: { status_code: 201 } };
    await own.call('AT_test_api_method', { ...base, json: { n: 1 } });
    await own.call('AT_generate_json_report', { json_file_name: join(folder, 'typed') });
    await own.call('AT_test_api_method', {
      ...base,
      data: '{"n":2}',
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    const given = { report_paths: [join(folder, 'typed_success.json')], profile: short };
    const report = (await own.call('AT_run_load_test', { ...given, thresholds: { max_failure_rate: 0 } })) as Report;
    expect(report.problems).toEqual([]);
    expect(report.summary.totals.requests).toBeGreaterThan(3);
  });

  test('for k6 sends what the actions say, and checks their statuses', async () => {
    const action_file = actions(call('/jobs/7') + call('/its', ', json: { n: 1 }'));
    await unit.call('AT_write_load_test', { output_path: join(folder, 'sent.js'), action_file });
    const script = readFileSync(join(folder, 'sent.js'), 'utf8');
    const plain = script.replace(/^import .*$/gm, '').replace(/^export (default )?/gm, '');
    // A stand-in for the modules of k6, whose requests wait for their answer.
    const sent: unknown[] = [];
    const checked: boolean[] = [];
    const http = {
      request: (method: string, url: string, body: string | null, params: object) => {
        sent.push({ method, url, body, ...params });
        return { status: url.endsWith('/its') ? 500 : 200 };
      },
    };
    const check = (answer: object, checks: Record<string, (answer: object) => boolean>): void =>
      void checked.push(...Object.values(checks).map((holds) => holds(answer)));
    const run = new Script(`${plain.replace('function ()', 'function main()')}; main(); main(); main();`);
    run.runInNewContext({ http, check, sleep: () => undefined, __ENV: { API_TOKEN: 't' } });
    expect(sent).toMatchObject([
      { method: 'GET', url: `${server.url}/jobs/7`, body: null, timeout: '5000ms', redirects: 0 },
      { method: 'GET', url: `${server.url}/its`, body: '{"n":1}', headers: { authorization: 'Bearer t' } },
      { url: `${server.url}/jobs/7` },
    ]);
    expect(checked).toEqual([true, false, true]);
  });

  test('for k6 takes its rows from a file that the environment names, as does that for Locust', async () => {
    const action_file = actions(
      "- AT_test_api_method: { http_method: post, test_url: '${env:BASE}/jobs/${ROW.id}', json: { q: '${ROW.text}' } }\n",
    );
    for (const name of ['rows.js', 'rows.py'])
      await unit.call('AT_write_load_test', { output_path: join(folder, name), action_file });
    const plain = readFileSync(join(folder, 'rows.js'), 'utf8')
      .replace(/^import .*$/gm, '')
      .replace(/^export (default )?/gm, '')
      .replace('function ()', 'function main()');
    const rows = [{ id: 'a b', text: 'say "hi"' }, { id: 7 }];
    const sent: unknown[] = [];
    const scope = {
      http: { request: (...args: unknown[]) => (sent.push(args.slice(0, 3)), { status: 200 }) },
      check: () => undefined,
      sleep: () => undefined,
      open: (path: string) => (path === 'rows.json' ? JSON.stringify(rows) : ''),
      SharedArray: function SharedArray(_name: string, make: () => unknown): unknown {
        return make();
      },
      exec: { scenario: { iterationInTest: 0 } },
    };
    const again = 'main(); exec.scenario.iterationInTest++; main();';
    new Script(`${plain}; ${again}`).runInNewContext({ ...scope, __ENV: { API_TOKEN: 't', ROWS: 'rows.json' } });
    expect(sent).toEqual([
      ['POST', `${server.url}/jobs/a%20b`, '{"q":"say \\"hi\\""}'],
      ['POST', `${server.url}/jobs/7`, '{"q":"{{row.text}}"}'],
    ]);
    expect(() => new Script(plain).runInNewContext({ ...scope, __ENV: { API_TOKEN: 't' } })).toThrow('set ROWS');
    expect(readFileSync(join(folder, 'rows.py'), 'utf8')).toContain('one = with_row(one)');
  });

  test('keeps the check of certificates on where one of the requests wants it', async () => {
    const written = async (name: string, ...more: readonly string[]): Promise<string> => {
      const action_file = actions(more.map((one, index) => call(`/${index}`, one)).join(''));
      const profile = { user: 'http_user' };
      await unit.call('AT_write_load_test', { output_path: join(folder, name), action_file, profile });
      return readFileSync(join(folder, name), 'utf8');
    };
    expect(await written('all.js', ', verify: false', ', verify: false')).toContain('"insecureSkipTLSVerify": true');
    expect(await written('some.js', ', verify: false', '')).toContain('"insecureSkipTLSVerify": false');
    const locust = await written('some.py', ', verify: false', '');
    expect(locust).toContain('verify=one["verify"]');
    expect(locust.match(/\\"verify\\": ?(?:true|false)/g)?.map((one) => one.includes('true'))).toEqual([false, true]);
  });

  test('for k6 is JavaScript, for Locust Python', async () => {
    const action_file = actions(call('/its', `, data: "it's \\u2028 \\"quoted\\" \\\\ <&>"`));
    for (const name of ['load.js', 'load.py'])
      await unit.call('AT_write_load_test', {
        output_path: join(folder, name),
        action_file,
        profile: { think_seconds: [1, 2] },
      });
    const script = readFileSync(join(folder, 'load.js'), 'utf8');
    const plain = script.replace(/^import .*$/gm, '').replace(/^export (default )?/gm, '');
    expect(() => new Script(plain.replace('function ()', 'function main()'))).not.toThrow();
    expect(script).toContain('executor": "ramping-vus"');
    expect(readFileSync(join(folder, 'load.py'), 'utf8')).toContain('wait_time = between(1, 2)');
  });
});
