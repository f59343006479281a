import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { commandLine } from '../built.ts';
import { startHttp } from '../commands/api/servers.ts';
import { startSvc, svc, type Said } from './svc.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-prompt-')));
  writeFileSync(join(folder, 'svc.config.yaml'), '{}');
  writeFileSync(join(folder, '.env'), 'GREETING=hello\nAPI_TOKEN=t0ps3cretvalue\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (args: readonly string[], input = ''): Promise<Said> => svc(folder, args, { input });

describe('svc mock', () => {
  test('serves all sections of a file, and logs what comes', { timeout: 30_000 }, async () => {
    const document = {
      openapi: '3.1.0',
      paths: {
        '/goods': {
          get: {
            parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
            responses: { 200: { description: '' } },
          },
        },
      },
    };
    writeFileSync(join(folder, 'goods.json'), JSON.stringify(document));
    writeFileSync(
      join(folder, 'all.mock.yaml'),
      `http:
  port: 0
  openapi: goods.json
  routes: [{ rule: /hello, body: { ok: true } }]
websocket: { port: 0, routes: { /feed: { greeting: hi } } }
grpc: { port: 0, methods: { /a.B/C: { response: 1 } } }
`,
    );
    const { child, ended } = startSvc(folder, ['mock', 'all.mock.yaml', '-v']);
    const urls = await new Promise<readonly string[]>((resolve, reject) => {
      let text = '';
      child.stdout?.on('data', (chunk) => {
        text += String(chunk);
        if (text.split('\n').length > 3) resolve(text.trim().split('\n'));
      });
      void ended.then(({ stderr }) => reject(new Error(stderr)));
    });
    try {
      expect(await (await fetch(`${urls[0]}/hello`, { headers: { authorization: 'Bearer s3cret' } })).json()).toEqual({
        ok: true,
      });
      expect((await fetch(`${urls[0]}/goods?page=x`)).status).toBe(400);
      const socket = new WebSocket(`${urls[1]}/feed`);
      await new Promise((resolve) => socket.on('message', resolve));
      socket.send('from here');
      await new Promise((resolve) => socket.on('message', resolve));
      socket.terminate();
      expect(urls[2]).toMatch(/^grpc:\/\/127\.0\.0\.1:\d+$/);
    } finally {
      child.kill('SIGINT');
    }
    const said = await ended;
    expect(said.exit).toBe(130);
    expect(said.stderr).toMatch(/ 200 GET \/hello\n/);
    expect(said.stderr).toContain('  authorization: ***\n');
    expect(said.stderr).toMatch(/ 400 GET \/goods\?page\n {2}! .*"page": "x" is no integer/);
    expect(said.stderr).toMatch(/ websocket \/feed from here\n/);
  });

  test('ends where one cannot start, and says what is wrong with the file', async () => {
    writeFileSync(join(folder, 'bad.mock.yaml'), 'http: { rutes: [] }\n');
    expect(await call(['mock', 'bad.mock.yaml'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('line 1') });
    expect((await call(['mock', 'bad.mock.yaml'])).stderr).toContain('1 place in all is wrong;');
    expect(await call(['mock', 'none.yaml'])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('it is not there'),
    });
    expect(await call(['mock', '/dev/zero'])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('regular file'),
    });
    expect(await call(['mock', 'bad.mock.yaml', '--config', 'none.yaml'])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('"bad.mock.yaml" and "none.yaml"'),
    });
    writeFileSync(join(folder, 'bad.mock.yaml'), 'http: { port: 0 }\ngrpc: { methods: { C: { response: 1 } } }\n');
    expect(await call(['mock', 'bad.mock.yaml'])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('section "grpc"'),
    });
  });

  test.each([
    ['websocket: {}', 8765],
    ['grpc: { methods: { /a.B/C: { response: 1 } } }', 50051],
  ])('takes the port of the command where a section names none: %s', async (section, port) => {
    // Whoever has the port, it is taken.
    const taken = createServer().on('error', () => undefined);
    taken.listen(port, '127.0.0.1');
    await Promise.race([once(taken, 'listening'), once(taken, 'error')]).catch(() => undefined);
    writeFileSync(join(folder, 'usual.mock.yaml'), `${section}\n`);
    const said = await call(['mock', 'usual.mock.yaml']);
    taken.close();
    expect(said).toMatchObject({ exit: 1, stderr: expect.stringContaining(`127.0.0.1:${port}`) });
  });

  test.each([
    ['websocket: { routs: {} }', 'routs'],
    ['grpc: { methods: { /a.B/C: { response: 1, stream: [] } } }', 'it has response and stream'],
    ['grpc: { methods: { /a.B/C: { error: { code: NONE } } } }', 'there is no error code "NONE"'],
  ])('checks the whole file before a port is opened: %s', async (section, words) => {
    await using taken = await startHttp((_, response) => response.end());
    writeFileSync(join(folder, 'half.mock.yaml'), `http: { port: ${new URL(taken.url).port} }\n${section}\n`);
    expect(await call(['mock', 'half.mock.yaml'])).toMatchObject({ exit: 2, stderr: expect.stringContaining(words) });
  });
});

test('a request that a mock did not get is told with those that came', async () => {
  const steps = [
    '{ AT_start_mock_server: {}, save_as: { name: shop, path: url } }',
    '[AT_mock_add_template_route, { rule: "/goods/<id>", body_template: tea }]',
    '[AT_test_api_method, { http_method: get, test_url: "{{shop}}/goods/7" }]',
    '{ AT_mock_received: { path: /good/7 }, expect: len(result) == 1 }',
  ];
  writeFileSync(join(folder, 'near.yaml'), `actions:\n${steps.map((step) => `- ${step}\n`).join('')}`);
  const { stdout, exit } = await call(['run', 'near.yaml']);
  expect(stdout).toContain('   = no such request came, but these:\n   =   GET /goods/7 -> 200\n');
  expect(exit).toBe(1);
});

describe('svc repl', () => {
  test('runs a line after the other in one unit', async () => {
    const lines = [
      '["AT_set_variable", {"name": "who", "value": "${ENV.GREETING} you"}]',
      '[["AT_get_variable", {"name": "who"}], ["AT_get_variable", ["who"]]]',
      'AT_get_variable: { name: who }',
      '',
      '{"AT_get_variable": {"name": "who"}, "expect": "result == \\"x\\""}',
      '["AT_nothing"]',
      '{"AT_set_variable": ',
      '["AT_set_variable", {"name": "t", "value": "${ENV.API_TOKEN}"}]',
      '["AT_get_variable", ["t"]]',
      'EXIT',
      '["AT_never"]',
    ];
    const said = await call(['repl', '--no-prompt'], lines.join('\n'));
    const out = said.stdout.trim().split('\n');
    expect(out.slice(0, 3)).toEqual(['null', '"hello you"', '"hello you"']);
    expect(out[3]).toMatch(/^error: \[SVC\d+\] /);
    expect(out[4]).toContain('AT_nothing');
    expect(out[5]).toMatch(/^invalid JSON: /);
    expect(out.slice(6)).toEqual(['null', '"***"']);
    expect(said.exit).toBe(1);
    expect(await call(['repl'], 'quit\n')).toMatchObject({ stdout: 'svc> ', exit: 0 });
  });

  test('says what is wrong with a line by itself, passes comments over, and helps', async () => {
    const lines = ['# nothing', 'help', 'AT_get_variabl: { name: a }', '[[AT_nothing], [AT_nothing_else]]'];
    const { stdout, exit } = await call(['repl', '--no-prompt'], lines.join('\n'));
    const [help, , mistake, mistakes] = stdout.split('\n');
    expect(help).toContain('AT_get_variable: { name: NAME }');
    expect(mistake).toBe(
      'error: [SVC40002] There is no command "AT_get_variabl". (replace with "AT_get_variable"; ' +
        '`svc commands list WORD` finds commands by what they do.)',
    );
    expect(mistakes).toContain('[0][0]: SVC40002');
    expect(mistakes).toContain('[1][0]: SVC40002');
    expect(exit).toBe(1);
  });

  test('reads a file', { timeout: 30_000 }, () => {
    writeFileSync(join(folder, 'lines.jsonl'), '["AT_set_variable", ["a", 7]]\n["AT_get_variable", ["a"]]');
    const input = openSync(join(folder, 'lines.jsonl'), 'r');
    const args = [...commandLine, 'repl', '--no-prompt'];
    const said = spawnSync(process.execPath, args, { cwd: folder, stdio: [input, 'pipe', 'pipe'], encoding: 'utf8' });
    closeSync(input);
    expect(said).toMatchObject({ stdout: 'null\n7\n', stderr: '', status: 0 });
  });

  test('brings earlier lines back on a terminal', { timeout: 30_000 }, async (context) => {
    context.skip(spawnSync('script', ['--version']).status !== 0);
    const start = [process.execPath, ...commandLine, 'repl'].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qfec', start, '/dev/null'], {
      cwd: folder,
      env: { ...process.env, TERM: 'xterm' },
    });
    let shown = '';
    child.stdout.on('data', (chunk) => void (shown += String(chunk)));
    const until = async (part: RegExp): Promise<void> => {
      while (!part.test(shown)) await once(child.stdout, 'data');
    };
    await until(/svc> /);
    child.stdin.write('["AT_nothing_such"]\r');
    await until(/SVC40002/);
    shown = '';
    child.stdin.write('\u001b[A\r');
    await until(/AT_nothing_such[^]*SVC40002/);
    child.stdin.write('exit\r');
    await once(child, 'exit');
    expect(shown.match(/SVC40002/g)).toHaveLength(1);
  });
});

test('svc summary reads the newest pair of reports', async () => {
  expect(await call(['summary'])).toMatchObject({ stdout: expect.stringContaining('no report here'), exit: 0 });
  const failures = Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [
      `Failure_Test${at + 1}`,
      { http_method: 'get', test_url: `http://x/${at}`, error: 'refused\nhere' },
    ]),
  );
  writeFileSync(join(folder, 'r_success.json'), JSON.stringify({ Success_Test1: { request_url: 'http://x/' } }));
  writeFileSync(join(folder, 'r_failure.json'), JSON.stringify(failures));
  const said = await call(['summary']);
  expect(said).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('1 succeeded\n  7 failed\n  GET http://x/2: refused here'),
  });
  const { stdout: coloured } = await startSvc(folder, ['summary'], { FORCE_COLOR: '1' }).ended;
  expect(coloured).toContain('\n  \u001B[32m1 succeeded\u001B[39m\n  \u001B[31m7 failed\u001B[39m\n  GET http://x/2');
  expect(JSON.parse((await call(['summary', '--report', 'r_success.json', '--json'])).stdout)).toMatchObject({
    succeeded: 1,
    failed: 7,
  });
  expect(await call(['summary', '--report', 'none.json'])).toMatchObject({ exit: 1 });
  expect(await call(['summary', '--report', 'r_failure.json'])).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('name the `_success.json` beside it'),
  });
  writeFileSync(join(folder, 'other_success.json'), '{ "dependencies": { "a": "1" } }');
  expect(await call(['summary', '--report', 'other_success.json'])).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('"dependencies" is no request'),
  });
  const refused = { http_method: 'get', test_url: 'http://x/', error: 'GET http://x/: nothing listens.' };
  writeFileSync(join(folder, 'e_success.json'), '{}');
  writeFileSync(join(folder, 'e_failure.json'), JSON.stringify({ Failure_Test1: refused }));
  expect((await call(['summary', '--report', 'e_success.json'])).stdout).toContain(
    '\n  GET http://x/: nothing listens.\n',
  );
});
