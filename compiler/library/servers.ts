/// <reference lib="esnext.disposable" preserve="true" />
import { createHash } from 'node:crypto';

import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { wanted } from '#compiler/engine/wanted.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { ActionCalls } from '#runtime/servers/action-calls.ts';
import type { OpenServer } from '#runtime/servers/open-server.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Host } from '#schemas/types/host.ts';

import { record_action, render_metrics } from './metrics.ts';
import type { ActionRules } from './remote/action-acl.ts';

/** Address of a server. */
export interface ServerOptions {
  /** This machine alone by default. */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port?: number;
  /** Permits addresses that other machines reach; false by default. */
  readonly allow_non_loopback?: boolean;
}

/** Address of a server that may ask for a secret. */
export interface GuardedServerOptions extends ServerOptions {
  /** Secret that every request must present; beyond this machine there must be one. */
  readonly shared_secret?: string | null;
}

/** Address of a server that runs actions, and what its callers may run. */
export interface ActionServerOptions extends GuardedServerOptions {
  /** An `ActionACL`; all commands but those that start programs or servers by default. */
  readonly action_acl?: ActionRules | null;
  /** Callers reach files outside of the working folder too; false by default. */
  readonly allow_outside?: boolean;
  /** References of callers read the environment and secret files; false by default. */
  readonly allow_environment?: boolean;
}

/** A server that listens, until it is shut down. It keeps the process alive. */
export interface RunningServer extends AsyncDisposable {
  /** Host as it was asked for. */
  readonly host: string;
  readonly port: number;
  /** Whether it asks for a secret. */
  readonly auth: boolean;
  /** `http://127.0.0.1:9944`, `tcp://localhost:9943`. */
  readonly address: string;
  /** Takes nothing more; calls under way have five seconds to end. The second call waits for the first. */
  shutdown(): Promise<void>;
}

/** Host and limits of a server; gates are those for what comes over a network. */
export type ServerSession = Pick<SessionOptions, 'host' | 'settings'>;

/** Starts the TCP action server; rules are those of `FA_tcp_server_start`, its actions count in `render_metrics`. */
export function start_tcp_action_server(
  options: ActionServerOptions = {},
  session: ServerSession = {},
): Promise<RunningServer> {
  return startActionServer('tcp', options, session);
}

/** Starts the HTTP action server; rules are those of `FA_http_server_start`, its actions count in `render_metrics`. */
export function start_http_action_server(
  options: ActionServerOptions = {},
  session: ServerSession = {},
): Promise<RunningServer> {
  return startActionServer('http', options, session);
}

/** Starts a server that shows what `render_metrics` renders, at `/metrics`. */
export async function start_metrics_server(options: ServerOptions = {}): Promise<RunningServer> {
  const params = await wanted('FA_metrics_server_start', { ...options });
  const { openMetricsServer } = await import('#runtime/servers/metrics-server.ts');
  return running('http', await openMetricsServer(placeOf(params), { lookup: nodeHost().lookup, metrics: exposition }));
}

/** Starts the read-only dashboard; rules are those of `FA_dashboard_start`. */
export async function start_web_ui(options: GuardedServerOptions = {}): Promise<RunningServer> {
  const params = await wanted('FA_dashboard_start', { ...options });
  const { lookup, clock, random } = nodeHost();
  return await withCalls({ host: nodeHost() }, {}, async (calls) => {
    const { openDashboard } = await import('#runtime/servers/dashboard/server.ts');
    const token = (): string => `${random.uuid()}${random.uuid()}`;
    const place = { ...placeOf(params), secret: params.shared_secret };
    return running('http', await openDashboard(place, { lookup, clock, calls, token }), calls);
  });
}

/** Rejects for a host of which any address is not of this machine alone, and for one that leads nowhere. */
export async function ensure_loopback(host: string): Promise<null> {
  const { bindAddress } = await import('#runtime/servers/bind-address.ts');
  await bindAddress({ server: 'action', host, port: 0, allowReachable: false }, nodeHost().lookup);
  return null;
}

/** Answer to the key of a WebSocket handshake (RFC 6455). */
export function compute_accept_key(sec_websocket_key: string): string {
  return createHash('sha1').update(`${sec_websocket_key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

async function startActionServer(
  kind: 'tcp' | 'http',
  { action_acl: rules, ...options }: ActionServerOptions,
  { host = nodeHost(), settings }: ServerSession,
): Promise<RunningServer> {
  const params = await wanted(`FA_${kind}_server_start`, {
    ...options,
    allowed_actions: rules?.allowed ?? null,
    denied_actions: [...(rules?.denied ?? [])],
  });
  return await withCalls({ host, ...(settings && { settings }) }, params, async (calls) => {
    const [{ AccessList }, { Callers }, { powerfulOf }] = await Promise.all([
      import('#runtime/servers/access-list.ts'),
      import('#runtime/servers/callers.ts'),
      import('#runtime/servers/tools.ts'),
    ]);
    const lists = { allowed: params.allowed_actions, denied: params.denied_actions };
    const access = new AccessList(lists, powerfulOf(await calls.commands()));
    const given = { ...placeOf(params), callers: new Callers([{ secret: params.shared_secret, access }]) };
    const around = { calls, lookup: host.lookup, clock: host.clock };
    const server =
      kind === 'tcp'
        ? await (await import('#runtime/servers/tcp/server.ts')).openTcpServer(given, around)
        : await (await import('#runtime/servers/http/server.ts')).openHttpServer(given, around);
    return running(kind, server, calls);
  });
}

type Place = CommandMap['FA_metrics_server_start']['params'];
type Reach = { readonly allow_outside?: boolean; readonly allow_environment?: boolean };

function placeOf({ host, port, allow_non_loopback: allowReachable }: Place) {
  return { host, port, allowReachable };
}

/** Opens what a server runs actions by; it is closed where the server cannot be started. */
async function withCalls(
  { host, settings }: { readonly host: Host; readonly settings?: NonNullable<ServerSession['settings']> },
  { allow_outside: anywhere = false, allow_environment: environment = false }: Reach,
  start: (calls: ActionCalls) => Promise<RunningServer>,
): Promise<RunningServer> {
  const [{ actionCalls }, { openProgress }] = await Promise.all([
    import('#compiler/engine/callers/action-calls.ts'),
    import('#runtime/services/progress/open-progress.ts'),
  ]);
  const calls = actionCalls({
    host,
    root: host.cwd,
    outside: anywhere ? 'anywhere' : [],
    environment,
    progress: openProgress(host.clock),
    metrics: { count: record_action, render: exposition },
    ...(settings && { settings }),
  });
  try {
    return await start(calls);
  } catch (error) {
    await calls.close();
    throw error;
  }
}

function exposition(): { readonly text: string; readonly contentType: string } {
  const [text, contentType] = render_metrics();
  return { text, contentType };
}

/** A caller may end a TCP server too: what it runs actions by is closed either way. */
function running(scheme: 'tcp' | 'http', server: OpenServer, calls?: ActionCalls): RunningServer {
  const { host, port, auth } = server;
  const closed = server.ended.then(() => calls?.close());
  const shutdown = async (): Promise<void> => {
    await server.stop();
    await closed;
  };
  const address = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { host, port, auth, address, shutdown, [Symbol.asyncDispose]: shutdown };
}
