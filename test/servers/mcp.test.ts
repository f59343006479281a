import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as streamText } from 'node:stream/consumers';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLine } from '../built.ts';
import { startSvc } from '../cli/svc.ts';

let folder = '';
let secrets = '';
let client: Client;
let transport: StdioClientTransport;
let stderr = '';

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-mcp-')));
  secrets = realpathSync(mkdtempSync(join(tmpdir(), 'svc-mcp-secrets-')));
  writeFileSync(join(secrets, 'token'), 'kept-in-a-file-5678', { mode: 0o600 });
  writeFileSync(join(folder, 'svc.config.yaml'), `secrets: { file_root: ${JSON.stringify(secrets)} }\n`);
  writeFileSync(
    join(folder, 'uses.yaml'),
    'actions:\n- [FA_create_file, { file_path: used.txt, content: "${file:token}" }]\n',
  );
  writeFileSync(join(folder, 'wrong.yaml'), 'actions:\n- [FA_copy_flie, { source: a, target: b }]\n');
  writeFileSync(join(folder, 'good.yaml'), 'actions:\n- [FA_create_file, { file_path: ran.txt, content: x }]\n');
  transport = new StdioClientTransport({
    command: process.execPath,
    args: [...commandLine, 'mcp', '--allow', 'private'],
    cwd: folder,
    env: { ...(process.env as Record<string, string>), MY_SECRET_TOKEN: 'open-sesame-1234' },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
}, 60_000);
afterAll(async () => {
  await client.close();
  for (const made of [folder, secrets]) rmSync(made, { recursive: true, force: true });
});

interface Said {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
}

async function call(name: string, given: Record<string, unknown> = {}, by = client): Promise<Said> {
  const answer = await by.callTool({ name, arguments: given });
  const [content] = answer.content;
  return {
    isError: answer.isError === true,
    text: content?.type === 'text' ? content.text : '',
    structured: answer.structuredContent as Record<string, unknown> | undefined,
  };
}

describe('the list of tools', () => {
  it('holds the eight of document 2, those of action files, and every command that starts nothing', async () => {
    const { tools } = await client.listTools();
    const own = tools.filter(({ name }) => name.startsWith('svc_'));
    await expect(JSON.stringify(own, null, 2)).toMatchFileSnapshot('expected/mcp-tools.json');
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['FA_copy_file', 'AT_test_api_method', 'WR_to_url']));
    expect(names.filter((name) => /^FA_(run_shell|.*_server_start)$/.test(name))).toEqual([]);
    const hints = (name: string): unknown => tools.find((tool) => tool.name === name)?.annotations;
    expect(hints('FA_copy_file')).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(hints('AT_curl_to_action')).toMatchObject({ readOnlyHint: true });
    for (const { inputSchema } of tools) expect(JSON.stringify(inputSchema)).not.toContain('"$ref"');
  });
});

describe('a command', () => {
  it('that changes something runs when it is confirmed', async () => {
    const given = { file_path: 'made.txt', content: 'x' };
    expect((await call('FA_create_file', given)).structured).toMatchObject({ dry_run: true });
    expect(existsSync(join(folder, 'made.txt'))).toBe(false);
    expect(await call('FA_create_file', { ...given, confirm: true })).toMatchObject({ isError: false });
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('x');
  });

  it('takes parameters by their other names, each once', async () => {
    writeFileSync(join(folder, 'named.txt'), 'x');
    const given = { file_path: 'named.txt', target_path: 'named-too.txt', confirm: true };
    expect(await call('FA_copy_file', given)).toMatchObject({ isError: false, text: 'true' });
    expect(readFileSync(join(folder, 'named-too.txt'), 'utf8')).toBe('x');
    expect(await call('FA_copy_file', { ...given, source: 'uses.yaml' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('must not have "file_path"') as string,
    });
  });

  it('that failed tells behind the error what it found', async () => {
    const nodes = [
      { id: 'bad', action: ['FA_file_checksum', ['nothing here']] },
      { id: 'good', action: ['FA_create_dir', ['good']] },
    ];
    const { isError, content } = await client.callTool({
      name: 'FA_execute_action_dag',
      arguments: { nodes, confirm: true },
    });
    const [error, value] = content.map((each) => (each.type === 'text' ? each.text : ''));
    expect([isError, error]).toEqual([true, expect.stringMatching(/^error: .*"nothing here"/)]);
    expect(JSON.parse(value ?? '')).toMatchObject({ bad: { status: 'error' }, good: { status: 'ok' } });
  });

  it('tells what is wrong, before or while it runs', async () => {
    expect(await call('FA_copy_file', { sorce: 'a' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('do not fit') as string,
    });
    expect(await call('FA_copy_file', { file_path: 'none', target_path: 'b', confirm: true })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^error: /) as string,
    });
    // An assistant mends what it is told: the cause where a file cannot run, and the advice.
    expect(await call('svc_run_action', { actions: [['FA_copy_flie', ['a', 'b']]] })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^error: .*"FA_copy_flie".*\nhelp: .*"FA_copy_file"/) as string,
    });
    writeFileSync(
      join(folder, 'rows.yaml'),
      'meta: { dataset: rows.csv }\nactions: [{ FA_create_dir: ["${ROW.a}"] }]\n',
    );
    writeFileSync(join(folder, 'rows.csv'), 'a\n1\n');
    expect(await call('svc_run', { path: 'rows.yaml', confirm: true })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/cannot run\. .*a file with a dataset runs by itself only/) as string,
    });
    await expect(call('FA_nothing')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('there is no tool "FA_nothing"') as string,
    });
    expect(await call('svc_run_action', { actions: [['FA_run_shell', [['id']]]], confirm: true })).toMatchObject({
      isError: true,
      text: expect.stringContaining('action not permitted: FA_run_shell') as string,
    });
  });

  it('reaches files of the project alone, however it is told of others', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'svc-outside-'));
    try {
      writeFileSync(join(outside, 'other.txt'), 'of somebody else');
      symlinkSync(outside, join(folder, 'way-out'));
      for (const path of [join(outside, 'other.txt'), '../other.txt', 'way-out/other.txt'])
        expect(await call('FA_copy_file', { source: path, target: 'taken.txt', confirm: true }), path).toMatchObject({
          isError: true,
          text: expect.stringContaining('outside of the project root') as string,
        });
      const actions = [
        ['AT_set_variable', { name: 'place', value: join(outside, 'made.txt') }],
        ['FA_create_file', { file_path: '{{place}}', content: 'x' }],
        ['FA_create_file', { file_path: 'inside.txt', content: 'x' }],
      ];
      expect((await call('svc_run_action', { actions, confirm: true })).structured).toMatchObject({
        results: [{ status: 'ok' }, { status: 'error' }, { status: 'ok' }],
      });
      expect([existsSync(join(folder, 'taken.txt')), existsSync(join(outside, 'made.txt'))]).toEqual([false, false]);
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('costs less than 5 ms beside what it does', async () => {
    const times: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      // Processor time of client and server together: the clock tells how busy the machine is.
      const before = process.cpuUsage();
      expect((await call('AT_set_variable', { name: 'count', value: count, confirm: true })).isError).toBe(false);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
    }
    const [least = 0, half = 0] = times.toSorted((one, other) => one - other).filter((_, index) => index % 50 === 25);
    console.log(`a call of a tool: ${least.toFixed(2)} ms, ${half.toFixed(2)} ms where others use the machine`);
    expect(least).toBeLessThan(5);
  });

  it('gives no more than a host should keep, and no secret', async () => {
    writeFileSync(join(folder, 'long.txt'), 'y'.repeat(400_000));
    const long = await call('AT_render_template', { template: 'z'.repeat(300_000) });
    expect(long.text.length).toBeLessThan(270_000);
    const shown = await call('AT_render_template', { template: 'open-sesame-1234' });
    expect(shown.text).not.toContain('open-sesame-1234');
  });
});

describe('the tools of document 2', () => {
  it('build on one another', async () => {
    const api = createServer((message, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: message.url }));
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/goods`;
    try {
      await call('svc_clear_records');
      expect((await call('svc_test_api', { url })).structured).toMatchObject({
        isDry: false,
        results: [{ status: 'ok' }],
      });
      expect((await call('svc_test_api', { method: 'post', url, body: { name: 'tea' } })).isError).toBe(false);
      const records = (await call('svc_get_records')).structured as { successes: unknown[]; failures: unknown[] };
      expect([records.successes.length, records.failures.length]).toEqual([2, 0]);
      expect((await call('svc_render_markdown')).text).toContain('**Successes:** 2');
      writeFileSync(join(folder, 'report.json'), JSON.stringify(records));
      expect(
        Object.keys(
          (await call('svc_records_to_openapi', { report_paths: ['report.json'] })).structured?.['paths'] as object,
        ),
      ).toEqual(['/goods']);
      expect((await call('svc_clear_records')).structured).toEqual({ cleared: true });
      expect((await call('svc_get_records')).structured).toEqual({ successes: [], failures: [] });
    } finally {
      api.close();
    }
  });

  it('turn what others wrote into actions, of this project alone', async () => {
    const action = await call('svc_curl_to_action', { curl_command: 'curl https://shop.example/goods' });
    expect((JSON.parse(action.text) as unknown[])[0]).toBe('AT_test_api_method');
    expect(await call('svc_har_import', { file_path: '../other.har' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('outside of the project root') as string,
    });
  });
});

describe('action files', () => {
  it('are checked, mended and run', async () => {
    const found = await call('svc_check', { path: 'wrong.yaml' });
    expect(found.text).toContain('FA_copy_file');
    const code = (found.structured?.['diagnostics'] as { code: string }[] | undefined)?.[0]?.code ?? '';
    expect((await call('svc_explain', { name: code })).text).toContain(code);
    expect((await call('svc_explain', { name: 'FA_copy_file' })).text).toContain('Copy');
    const mended = 'actions:\n- [FA_create_dir, { dir_path: made }]\n';
    expect((await call('svc_check', { path: 'wrong.yaml', content: mended })).structured).toMatchObject({
      diagnostics: [],
    });
    expect((await call('svc_lint', { path: 'good.yaml' })).structured).toHaveProperty('diagnostics');
    expect((await call('svc_run', { path: 'good.yaml' })).structured).toMatchObject({ isDry: true });
    expect(existsSync(join(folder, 'ran.txt'))).toBe(false);
    expect((await call('svc_run', { path: 'good.yaml', confirm: true })).structured).toMatchObject({
      isDry: false,
      results: [{ status: 'ok' }],
    });
    expect(existsSync(join(folder, 'ran.txt'))).toBe(true);
    expect(await call('svc_check', { path: '../x.yaml' })).toMatchObject({ isError: true });
  });

  it('use secret files of the project that commands do not yield', async () => {
    expect((await call('svc_run', { path: 'uses.yaml', confirm: true })).structured).toMatchObject({ isDry: false });
    expect(readFileSync(join(folder, 'used.txt'), 'utf8')).toBe('kept-in-a-file-5678');
    const taken = { source: join(secrets, 'token'), target: 'taken.txt' };
    expect(await call('FA_copy_file', { ...taken, confirm: true })).toMatchObject({ isError: true });
    expect(existsSync(join(folder, 'taken.txt'))).toBe(false);
  });

  it('leave a line for every call, without what was sent', async () => {
    await call('svc_curl_to_action', { curl_command: 'curl https://shop.example/goods' });
    await expect.poll(() => stderr).toMatch(/mcp svc_curl_to_action ok \d+ ms\n/);
    expect(stderr).toContain('gates closed for callers: script, packages, shell\n');
    expect(stderr).not.toContain('shop.example');
  });
});

/** A call that fails after so many seconds, and makes a folder as it begins. */
/** A call that makes a folder, so that it is seen to run, and ends when there is another one, which is looked for. */
function waiting(name: string, forFolder: string): { name: string; arguments: Record<string, unknown> } {
  const look = ['FA_if_exists', { path: forFolder, then: [['AT_set_variable', ['came', forFolder]]] }];
  const wait = { until: 'exists(came)', do: [['FA_create_dir', [name]], look], max_s: 50, interval_s: 0.1 };
  return { name: 'FA_if_exists', arguments: { path: '.', then: [wait], confirm: true } };
}

/** Cancels a call of one client while a call of another is under way; yields whether the other failed. */
async function cancelBeside(cancelling: Client, other: Client, told: () => string): Promise<boolean> {
  const setting = { actions: [['AT_set_variable', { name: 'kept', value: 'still here' }]] };
  await call('svc_run_action', setting, other);
  const ended = call('FA_if_exists', waiting('beside', 'end').arguments, other);
  const over = new AbortController();
  const cancelled = cancelling.callTool(waiting('cancelled', 'never'), { signal: over.signal });
  const begun = (): boolean => ['beside', 'cancelled'].every((name) => existsSync(join(folder, name)));
  await expect.poll(begun, { timeout: 30_000 }).toBe(true);
  over.abort('no longer wanted');
  await expect(cancelled).rejects.toThrow();
  await expect.poll(told, { timeout: 30_000 }).toMatch(/mcp FA_if_exists error \d+ ms\n$/);
  const got = await call('svc_run_action', { actions: [['AT_get_variable', ['kept']]] }, other);
  expect(got.text).toContain('still here');
  mkdirSync(join(folder, 'end'));
  const { isError } = await ended;
  for (const name of ['beside', 'cancelled', 'end']) rmSync(join(folder, name), { recursive: true });
  return isError;
}

describe('calls under way', () => {
  it('go on beside one that is cancelled, and keep what they share', { timeout: 60_000 }, async () => {
    expect(await cancelBeside(client, client, () => stderr)).toBe(false);
  });

  const opening = [
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  ];
  const long = (id: number, seconds: number): string => {
    const wait = { until: '1 == 2', do: [['FA_create_dir', [`begun-${id}`]]], max_s: seconds, interval_s: 0.2 };
    const params = { name: 'FA_if_exists', arguments: { path: '.', then: [wait], confirm: true } };
    return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  };

  const started = (): { child: ChildProcessWithoutNullStreams; ended: Promise<[number | null, string, string]> } => {
    const child = spawn(process.execPath, [...commandLine, 'mcp'], { cwd: folder });
    const ended = Promise.all([
      new Promise<number | null>((resolve) => child.on('close', resolve)),
      streamText(child.stdout),
      streamText(child.stderr),
    ]);
    return { child, ended };
  };

  it('are answered when the input has ended, but for those that were cancelled', { timeout: 60_000 }, async () => {
    const { child, ended } = started();
    const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}}';
    child.stdin.end([...opening, long(5, 1.5), long(6, 100), cancelled].join('\n'));
    const [status, stdout] = await ended;
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect([status, ids]).toEqual([0, [0, 5]]);
  });

  it('may end when a signal comes, and it is told whether they did', { timeout: 60_000 }, async () => {
    const { child, ended } = started();
    child.stdin.write(`${[...opening, long(7, 2)].join('\n')}\n`);
    await expect.poll(() => existsSync(join(folder, 'begun-7')), { timeout: 40_000 }).toBe(true);
    child.kill('SIGTERM');
    const [status, stdout, said] = await ended;
    expect([status, stdout]).toEqual([143, expect.stringContaining('"id":7')]);
    expect(said).toContain('of the calls under way 1 ended by themselves, 0 were cancelled');
  });
});

/** Everything that the server says to a request written by hand, until it closes. */
async function rawAnswers(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('over HTTP', () => {
  it('asks for the secret, knows its hosts, and serves the same tools', { timeout: 60_000 }, async () => {
    const words = [
      'mcp',
      '--http',
      '--port',
      '0',
      '--shared-secret',
      '${env:SECRET}',
      '--allowed-actions',
      'FA_create_dir',
    ];
    const { child, ended } = startSvc(folder, words, { SECRET: 'open sesame' });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.once('data', (chunk) => resolve(String(chunk).trim()));
      void ended.then(({ stderr: said }) => reject(new Error(said)));
    });
    try {
      const refused = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
      expect(refused.status).toBe(401);
      const foreign = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } });
      expect(foreign.status).toBe(403);
      // Nothing that stands behind a refused request is one: it may have been meant as a part of its body.
      const behind = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n';
      for (const [line, status] of [
        ['host: evil.example\r\ncontent-length: 5', 400],
        ['transfer-encoding: gzip, chunked', 501],
      ] as const) {
        const answers = await rawAnswers(
          url,
          `POST /mcp HTTP/1.1\r\nhost: localhost\r\n${line}\r\n\r\n0\r\n\r\n${behind}`,
        );
        expect(answers.match(/HTTP\/1.1 \d+/g), line).toEqual([`HTTP/1.1 ${status}`]);
      }
      // Whoever waits with a body that is refused is not asked for it.
      for (const [lines, status] of [
        ['content-length: 5', 401],
        ['authorization: Bearer open sesame\r\ncontent-length: 9999999', 413],
      ] as const)
        expect(
          await rawAnswers(url, `POST /mcp HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n${lines}\r\n\r\n`),
        ).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const headers = { authorization: 'Bearer open sesame', accept: 'application/json, text/event-stream' };
      const broken = await fetch(url, {
        method: 'POST',
        body: '{ broken',
        headers: { ...headers, 'content-type': 'application/json' },
      });
      expect(broken.status).toBe(400);
      const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      for (const [given, status] of [
        [{ accept: 'application/json', 'content-type': 'application/json' }, 406],
        [{ accept: headers.accept, 'content-type': 'text/plain' }, 415],
      ] as const)
        expect((await fetch(url, { method: 'POST', body: ping, headers: { ...headers, ...given } })).status).toBe(
          status,
        );
      for (let count = 0; count < 4; count += 1) {
        const large = await fetch(url, {
          method: 'POST',
          body: 'x'.repeat(2 * 1024 * 1024),
          headers: { ...headers, 'content-type': 'application/json' },
        });
        expect(large.status).toBe(413);
      }
      const remote = new Client({ name: 'test', version: '1.0.0' });
      await remote.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      const { tools } = await remote.listTools();
      expect(tools.map(({ name }) => name).filter((name) => !name.startsWith('svc_'))).toEqual(['FA_create_dir']);
      expect(tools.map(({ name }) => name)).not.toContain('svc_test_api');
      expect((await call('FA_create_dir', { dir_path: 'by-http', confirm: true }, remote)).isError).toBe(false);
      expect(existsSync(join(folder, 'by-http'))).toBe(true);
      await remote.close();
    } finally {
      child.kill('SIGTERM');
    }
    const { exit, stderr: said } = await ended;
    expect(exit).toBe(143);
    expect(said).not.toContain(' 405\n');
    for (const status of [400, 401, 403, 406, 413, 415])
      expect(said).toMatch(new RegExp(`mcp 127\\.0\\.0\\.1 ${status}\\n`));
  });

  it('ends the call that a client cancels, and no other', { timeout: 60_000 }, async () => {
    const { child, ended } = startSvc(folder, ['mcp', '--http', '--port', '0'], {});
    let said = '';
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    try {
      const url = await new Promise<string>((resolve, reject) => {
        child.stdout?.once('data', (chunk) => resolve(String(chunk).trim()));
        void ended.then(({ stderr: words }) => reject(new Error(words)));
      });
      const clients = await Promise.all(
        ['one', 'other'].map(async (name) => {
          const each = new Client({ name, version: '1.0.0' });
          await each.connect(new StreamableHTTPClientTransport(new URL(url)));
          return each;
        }),
      );
      const [one, other] = clients as [Client, Client];
      expect(await cancelBeside(one, other, () => said)).toBe(false);
      for (const each of clients) await each.close();
    } finally {
      child.kill('SIGTERM');
    }
  });
});
