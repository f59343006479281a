import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  ActionACL,
  compute_accept_key,
  ensure_loopback,
  HTTPActionClient,
  start_http_action_server,
  start_metrics_server,
  start_tcp_action_server,
  start_web_ui,
} from '#compiler/library/files.ts';
import { nodeHost } from '#runtime/hosts/node.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-library-'));
});
afterEach(() => rm(root, { recursive: true }));

const action = (path: string): string[][] => [['FA_create_file', [path]]] as unknown as string[][];

describe('action servers', () => {
  it('run actions over HTTP below their folder, with the secret as it was given', async () => {
    const session = { host: nodeHost({ cwd: root }) };
    const server = await start_http_action_server({ port: 0, shared_secret: '${env:HOME}' }, session);
    await using client = new HTTPActionClient(`${server.address}/`, { shared_secret: '${env:HOME}' });
    expect([server.auth, client.base_url, await client.ping()]).toEqual([true, server.address, true]);
    // Other tests of this process count, too.
    await using metrics = await start_metrics_server({ port: 0 });
    const counted = async (): Promise<number> => {
      const text = await (await fetch(`${metrics.address}/metrics`)).text();
      return Number(/action="FA_create_file",status="ok"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    await client.execute(action('made'));
    expect(await counted()).toBe(before + 1);
    expect(await readFile(join(root, 'made'), 'utf8')).toBe('');
    expect(JSON.stringify(await client.execute(action(join(root, '../outside'))))).toContain('outside of the project');
    await expect(start_http_action_server({ port: server.port })).rejects.toMatchObject({
      facts: { code: 'SVC89000' },
    });
    await server.shutdown();
    await server.shutdown();
    expect(await client.ping()).toBe(false);
  });

  it('hold callers to an access list', async () => {
    const action_acl = await ActionACL.build({ allowed: ['FA_create_*'], denied: ['FA_create_dir'] });
    await using server = await start_http_action_server({ port: 0, action_acl });
    const client = new HTTPActionClient(server.address);
    await expect(client.execute([['FA_create_dir', ['x']]])).rejects.toMatchObject({ kind: 'forbidden' });
    expect(['FA_create_file', 'FA_create_dir', 'FA_copy_file'].map((name) => action_acl.is_allowed(name))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('run actions over TCP, and end where a caller stops them', async () => {
    const server = await start_tcp_action_server({ port: 0 });
    const asked = async (text: string): Promise<string> => {
      const socket = connect(server.port, '127.0.0.1', () => socket.end(text));
      let answer = '';
      socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
      await once(socket, 'close');
      return answer;
    };
    expect(server.address).toBe(`tcp://localhost:${server.port}`);
    expect(await asked('[["FA_safe_join",[".","a"]]]')).toContain('"status":"ok"');
    expect(await asked('quit_server')).toContain('shutting down');
    await server.shutdown();
  });

  it('are refused where other machines reach them without leave and secret', async () => {
    const reachable = { host: '0.0.0.0', port: 0 };
    for (const start of [start_tcp_action_server, start_http_action_server, start_metrics_server, start_web_ui])
      await expect(start(reachable)).rejects.toMatchObject({ facts: { code: 'SVC89001' } });
    await expect(start_http_action_server({ ...reachable, allow_non_loopback: true })).rejects.toMatchObject({
      facts: { code: 'SVC89002' },
    });
    await expect(start_http_action_server({ port: 70_000 })).rejects.toThrow(/port/);
  });
});

it('start_web_ui shows the dashboard', async () => {
  await using server = await start_web_ui({ port: 0 });
  expect(await (await fetch(`${server.address}/ui/health`)).text()).toContain('alive');
});

it('ensure_loopback takes this machine alone', async () => {
  expect(await ensure_loopback('localhost')).toBeNull();
  for (const host of ['0.0.0.0', '10.0.0.1', '', 'nowhere.invalid'])
    await expect(ensure_loopback(host)).rejects.toMatchObject({ name: 'FileAutomationException' });
  await expect(ensure_loopback('')).rejects.toThrow('the host is empty');
  await expect(ensure_loopback('0.0.0.0')).rejects.toThrow('every address of this machine');
});

it('compute_accept_key answers the handshake of the standard', () => {
  expect(compute_accept_key('dGhlIHNhbXBsZSBub25jZQ==')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
});
