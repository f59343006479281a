import { connect } from 'node:net';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startSvc, svc, type Said } from './svc.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-servers-')));
  writeFileSync(join(folder, 'svc.config.yaml'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Server extends AsyncDisposable {
  /** Addresses, in the order in which they were told. */
  readonly urls: readonly string[];
  stop(signal: NodeJS.Signals): Promise<Said>;
  readonly ended: Promise<Said>;
}

/** The command line in a process of its own, as soon as it has told so many addresses. */
async function start(addresses: number, ...args: readonly string[]): Promise<Server> {
  const { child, ended } = startSvc(folder, args, { SECRET: 'open sesame' });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.split('\n').length > addresses) resolve();
    });
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  const stop = (signal: NodeJS.Signals): Promise<Said> => {
    child.kill(signal);
    return ended;
  };
  return {
    urls: text.trim().split('\n'),
    stop,
    ended,
    [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
  };
}

function post(url: string, body: unknown, secret: string): Promise<Response> {
  return fetch(`${url}/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });
}

describe('svc http-server', () => {
  test('serves with its rights told, and stops in order at a signal', { timeout: 30_000 }, async () => {
    await using server = await start(
      3,
      ...['http-server', '--port', '0', '--shared-secret', '${env:SECRET}', '--allowed-actions', 'FA_create_*'],
      ...['--denied-actions', 'FA_create_dir', '--metrics-port', '0', '--dashboard-port', '0'],
    );
    const [url = '', metrics = '', dashboard = ''] = server.urls;
    expect((await post(url, [['FA_create_file', ['a.txt', 'payload-text']]], 'open sesame')).status).toBe(200);
    expect((await post(url, [['FA_create_dir', ['d']]], 'open sesame')).status).toBe(403);
    expect((await post(url, [], 'other')).status).toBe(401);
    expect(await (await fetch(metrics)).text()).toContain('svc_actions_total{action="FA_create_file",status="ok"} 1');
    expect((await fetch(dashboard)).status).toBe(401);
    const { stderr, exit } = await server.stop('SIGTERM');
    expect(exit).toBe(143);
    expect(stderr).toMatch(/^callers may run \d+ of \d+ commands: fs-read, fs-write\n/);
    expect(stderr).toContain('gates closed for callers: script, packages, shell, private\n');
    expect(stderr.match(/http 127\.0\.0\.1 \d+ \d+ ms/g)?.map((line) => line.split(' ')[2])).toEqual([
      '200',
      '403',
      '401',
    ]);
    expect(stderr).toMatch(/ 200 \d+ ms FA_create_file\n/);
    expect(stderr).toContain('stopped: no calls were under way\n');
    expect(stderr).not.toMatch(/payload-text|open sesame/);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});

describe('callers of a file', () => {
  test('have commands of their own, below those of the server', { timeout: 30_000 }, async () => {
    writeFileSync(
      join(folder, 'callers.yaml'),
      'anna: { secret: "${env:SECRET}", allowed_actions: [FA_create_dir, FA_copy_file] }\nbert: { secret: of-bert }\n',
    );
    const options = ['--callers', 'callers.yaml', '--allowed-actions', 'FA_create_*'];
    await using server = await start(1, 'http-server', '--port', '0', ...options);
    const [url = ''] = server.urls;
    const status = async (name: string, secret: string): Promise<number> =>
      (await post(url, [[name, [`of-callers-${name}`]]], secret)).status;
    expect(await status('FA_create_dir', 'open sesame')).toBe(200);
    expect(await status('FA_create_file', 'open sesame')).toBe(403);
    expect(await status('FA_create_file', 'of-bert')).toBe(200);
    expect(await status('FA_mime_detect', 'of-bert')).toBe(403);
    expect(await status('FA_create_dir', 'of-nobody')).toBe(401);
    const { stderr } = await server.stop('SIGTERM');
    expect(stderr).toMatch(/ 200 \d+ ms caller anna FA_create_dir\n/);
    expect(stderr).toMatch(/ 403 \d+ ms caller bert refused FA_mime_detect\n/);
    expect(stderr).not.toMatch(/open sesame|of-bert/);
  });

  test.each([
    ['{}', 'it holds no callers by name'],
    ['anna: {}', '"anna" has no text as its "secret"'],
    ['anna: { secret: same }\nbert: { secret: same }', '"bert" has the secret of another caller'],
    ['"an na": { secret: a }', 'a caller has a name of letters'],
    ['anna: { secret: a, allow: [] }', '"anna" may hold secret, allowed_actions, denied_actions alone'],
    ['anna: { secret: a, allowed_actions: FA_copy_file }', '"allowed_actions" of "anna" is no list of names'],
    ['anna: { secret: a, denied_actions: [FA_copy_flie] }', 'There are no commands "FA_copy_flie".'],
  ])('%s is refused', async (text, message) => {
    writeFileSync(join(folder, 'bad.yaml'), text);
    const said = await svc(folder, ['server', '--port', '0', '--callers', 'bad.yaml']);
    expect([said.exit, said.stdout]).toEqual([2, '']);
    expect(said.stderr).toContain(message);
  });
});

describe('svc server', () => {
  test('ends when a caller of this machine stops it', { timeout: 30_000 }, async () => {
    await using server = await start(1, 'server', '--port', '0');
    const port = Number(/:(\d+)$/.exec(server.urls[0] ?? '')?.[1]);
    const answer = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        let got = '';
        const socket = connect(port, '127.0.0.1', () => socket.end(text));
        socket.on('data', (chunk) => (got += chunk.toString()));
        socket.on('close', () => resolve(got));
        socket.on('error', reject);
      });
    expect(await answer('[["FA_create_dir", ["d"]]]')).toContain('Return_Data_Over_JE');
    expect(await answer('quit_server')).toBe('server shutting down\n');
    expect((await server.ended).exit).toBe(0);
  });
});

describe('wrong use', () => {
  test.each<readonly [readonly string[], number, string]>([
    [['http-server', '--allowed-actions', 'FA_copy_flie'], 2, 'There are no commands "FA_copy_flie".'],
    [['server', '--denied-actions', 'FA_nothing_*'], 2, 'There are no commands "FA_nothing_*".'],
    [
      ['server', '--host', '0.0.0.0'],
      1,
      '"0.0.0.0" (every address of this machine) can be reached from other machines',
    ],
    [['dashboard', '--host', '0.0.0.0', '--allow-non-loopback'], 1, 'has no secret'],
    [['server', '--shared-secret', '${env:NOT_THERE}'], 2, 'NOT_THERE'],
    [['server', '--callers', 'not-there.yaml'], 2, 'not-there.yaml'],
    ...[
      ['server', '--port', '70000'],
      ['server', '--port', '65536'],
      ['server', '--port=-1'],
      ['http-server', '--port', 'x'],
      ['http-server', '--metrics-port', '70000'],
      ['server', '--dashboard-port', '99999'],
      ['dashboard', '--port', '70000'],
      ['mcp', '--http', '--port', '70000'],
      ['mock', '--port', '70000'],
    ].map(
      (args) =>
        [args, 2, `The option "${args.at(-1)?.startsWith('--') ? '--port' : args.at(-2)}" takes a port`] as const,
    ),
  ])('%j', async (args, exit, message) => {
    const said = await svc(folder, args);
    expect([said.exit, said.stdout]).toEqual([exit, '']);
    expect(said.stderr).toContain(message);
  });
});
