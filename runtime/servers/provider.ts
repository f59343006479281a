import type { PortContext, Provider } from '#runtime/kernel/ports.ts';

import { AccessList } from './access-list.ts';
import type { ActionCalls, CallsAround } from './action-calls.ts';
import { Callers } from './callers.ts';
import { openCallsOfPackage } from './calls-of-package.ts';
import type { OpenServer, Surroundings } from './open-server.ts';
import type { ActionServers, ListedServer, ServerKind, StartedServer, StartOptions, Tool } from './port.ts';
import { powerfulOf, servedBy, toolOf } from './tools.ts';

export const provider: Provider<'actionServer'> = {
  open: (context) => {
    const servers = new Servers(context);
    context.release(() => servers.end());
    return servers;
  },
};

const names: Readonly<Record<ServerKind, string>> = {
  tcp: 'TCP action server',
  http: 'HTTP action server',
  metrics: 'metrics server',
  dashboard: 'dashboard',
};

interface Running {
  readonly kind: ServerKind;
  readonly server: OpenServer;
  readonly started_at: string;
}

type Reach = Pick<StartOptions, 'allow_outside' | 'allow_environment'>;

class Servers implements ActionServers {
  readonly #context: PortContext;
  readonly #running = new Set<Running>();
  /** Calls of servers by what callers reach. */
  readonly #calls = new Map<string, Promise<ActionCalls>>();

  constructor(context: PortContext) {
    this.#context = context;
  }

  async start(kind: ServerKind, options: StartOptions): Promise<StartedServer> {
    this.#context.mask(options.shared_secret ?? '');
    const server = await this.#open(kind, options);
    const { host, port, auth } = server;
    const running: Running = { kind, server, started_at: new Date(this.#context.host.clock.now()).toISOString() };
    this.#running.add(running);
    void server.ended.then(() => this.#running.delete(running));
    return { name: names[kind], host, port, auth };
  }

  async stop(kind: ServerKind, port: number | null): Promise<number> {
    const chosen = [...this.#running].filter(
      (running) => running.kind === kind && (port === null || running.server.port === port),
    );
    for (const running of chosen) this.#running.delete(running);
    await Promise.all(chosen.map(({ server }) => server.stop()));
    return chosen.length;
  }

  list(): readonly ListedServer[] {
    return [...this.#running].map(({ kind, server: { host, port, auth }, started_at: at }) => ({
      kind,
      host,
      port,
      auth,
      started_at: at,
    }));
  }

  async tools(allowed: readonly string[] | null): Promise<readonly Tool[]> {
    return servedBy(await (await this.#actionCalls()).commands(), allowed).map(toolOf);
  }

  async end(): Promise<void> {
    const running = [...this.#running];
    this.#running.clear();
    await Promise.all(running.map(({ server }) => server.stop()));
    await Promise.all([...this.#calls.values()].map(async (calls) => (await calls).close()));
  }

  async #open(kind: ServerKind, options: StartOptions): Promise<OpenServer> {
    const { lookup, clock, random } = this.#context.host;
    const { host, port, allow_non_loopback: allowReachable, shared_secret: secret = null } = options;
    const where = { host, port, allowReachable };
    if (kind === 'metrics') {
      const metrics = await this.#context.port('metrics');
      return (await import('./metrics-server.ts')).openMetricsServer(where, {
        lookup,
        metrics: () => metrics.render(),
      });
    }
    const calls = await this.#actionCalls(options);
    if (kind === 'dashboard')
      return (await import('./dashboard/server.ts')).openDashboard(
        { ...where, secret },
        { lookup, clock, calls, token: () => `${random.uuid()}${random.uuid()}` },
      );
    const access = new AccessList(
      { allowed: options.allowed_actions ?? null, denied: options.denied_actions ?? [] },
      powerfulOf(await calls.commands()),
    );
    const around: Surroundings = { calls, lookup, clock };
    const given = { ...where, callers: new Callers([{ secret, access }]) };
    return kind === 'tcp'
      ? (await import('./tcp/server.ts')).openTcpServer(given, around)
      : (await import('./http/server.ts')).openHttpServer(given, around);
  }

  #actionCalls({ allow_outside: anywhere = false, allow_environment: environment = false }: Reach = {}) {
    const key = `${anywhere} ${environment}`;
    const opened = this.#calls.get(key) ?? this.#openCalls({ outside: anywhere ? 'anywhere' : [], environment });
    this.#calls.set(key, opened);
    opened.catch(() => this.#calls.delete(key));
    return opened;
  }

  async #openCalls(reach: Pick<CallsAround, 'outside' | 'environment'>): Promise<ActionCalls> {
    const { host, folders, port, settings } = this.#context;
    const [open, progress, metrics] = await Promise.all([openCallsOfPackage(), port('progress'), port('metrics')]);
    return open({ host, root: folders.root, ...reach, progress, metrics, settings });
  }
}
