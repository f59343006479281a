import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { actionCalls } from '#compiler/engine/callers/action-calls.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { AccessList, type AccessRules } from '#runtime/servers/access-list.ts';
import type { ActionCalls, CallsAround } from '#runtime/servers/action-calls.ts';
import { Callers } from '#runtime/servers/callers.ts';
import { openHttpServer } from '#runtime/servers/http/server.ts';
import type { HeardCall, OpenServer } from '#runtime/servers/open-server.ts';
import { openTcpServer } from '#runtime/servers/tcp/server.ts';
import { powerfulOf } from '#runtime/servers/tools.ts';
import { MetricsRegistry } from '#runtime/services/metrics/registry.ts';
import { openProgress } from '#runtime/services/progress/open-progress.ts';

/** A server over real calls, in a folder of its own. */
export interface Served extends AsyncDisposable {
  readonly root: string;
  readonly server: OpenServer;
  readonly calls: ActionCalls;
  readonly url: string;
  readonly heard: readonly HeardCall[];
}

export interface ServedOptions extends Partial<AccessRules> {
  readonly secret?: string;
  readonly host?: string;
  readonly allowReachable?: boolean;
  readonly outside?: CallsAround['outside'];
  readonly environment?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly idleMs?: number;
  readonly named?: readonly (AccessRules & { readonly name: string; readonly secret: string })[];
}

export async function serve(kind: 'http' | 'tcp', options: ServedOptions = {}): Promise<Served> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-server-')));
  const host = nodeHost({ cwd: root, env: { ...process.env, ...options.env } });
  const registry = new MetricsRegistry();
  const metrics = {
    count: (action: string, seconds: number, ok: boolean) => registry.record(action, seconds, ok),
    render: () => registry.render(),
  };
  const { outside = [], environment = false } = options;
  const calls = actionCalls({ host, root, outside, environment, progress: openProgress(host.clock), metrics });
  const { allowed = null, denied = [], secret = null, allowReachable = false } = options;
  const access = new AccessList({ allowed, denied }, powerfulOf(await calls.commands()));
  const powerful = powerfulOf(await calls.commands());
  const named = (options.named ?? []).map(({ name, secret: own, ...rules }) => ({
    name,
    secret: own,
    access: new AccessList(rules, powerful),
  }));
  const heard: HeardCall[] = [];
  const open = kind === 'http' ? openHttpServer : openTcpServer;
  const server = await open(
    {
      host: options.host ?? '127.0.0.1',
      port: 0,
      allowReachable,
      callers: new Callers([{ secret, access }, ...named]),
      ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
    },
    { calls, lookup: host.lookup, clock: host.clock, heard: (call) => heard.push(call) },
  );
  return {
    root,
    server,
    calls,
    url: `http://127.0.0.1:${server.port}`,
    heard,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await calls.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
