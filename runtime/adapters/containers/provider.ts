import { connect } from 'node:net';
import { hostname } from 'node:os';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import type { StartedProcess } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { Engine, engineSocket, wordsOf } from './engine.ts';
import type { Containers, StartedContainer, WantedContainer } from './port.ts';
import { WATCH, watchScript } from './watch-script.ts';

export const provider: Provider<'containers'> = {
  open: (context) => {
    const containers = new UnitContainers(context);
    context.release(() => containers.end());
    return containers;
  },
};

const HOST = '127.0.0.1';
/** Mark of containers that svc has started, with the process that owns them. */
const OWNER = 'svc.owner';
/** Mark of the machine, or the container, in which that number of a process means something. */
const MACHINE = 'svc.machine';
/** Time (ms) for one call of the engine, and for the pull of an image. */
const CALL_MS = 30_000;
const PULL_MS = 600_000;
const POLL_MS = 100;

class UnitContainers implements Containers {
  readonly #context: PortContext;
  readonly #books: StartedContainer[] = [];
  #engine: Promise<Engine> | undefined;
  /** Mark of the containers of this unit: numbers of processes are not told apart across machines and containers. */
  readonly #mark: string;
  /** Removes what is left when this process is killed. */
  #watcher: StartedProcess | undefined;

  constructor(context: PortContext) {
    this.#context = context;
    this.#mark = context.host.random.uuid();
  }

  get count(): number {
    return this.#books.length;
  }

  async start(wanted: WantedContainer, signal: AbortSignal): Promise<StartedContainer> {
    const engine = await (this.#engine ??= this.#open());
    const { image } = wanted;
    const id = await this.#create(engine, wanted, signal);
    const books: StartedContainer = { id, image, host: HOST, ports: {} };
    this.#books.push(books);
    try {
      await engine.ask({
        method: 'POST',
        path: `/containers/${id}/start`,
        what: 'start the container',
        timeout_ms: CALL_MS,
        signal,
      });
      const ports = portsOf(await this.#inspect(engine, id, signal));
      await this.#ready(engine, { ...books, ports }, wanted, signal);
      return { ...books, ports };
    } catch (error) {
      await this.#remove(id).catch(() => undefined);
      throw error;
    }
  }

  async stop(id: string): Promise<void> {
    const found = this.#books.find((each) => each.id === id || (id.length >= 12 && each.id.startsWith(id)));
    if (!found) throw fail.containerUnknown({ id });
    await this.#remove(found.id);
  }

  async stopAll(): Promise<void> {
    const lost: string[] = [];
    for (const { id, image } of this.#books.toReversed())
      await this.#remove(id).catch(() => lost.push(`${image} (${id.slice(0, 12)})`));
    if (lost.length > 0) throw fail.containersNotStopped({ count: lost.length, names: lost.join(', ') });
  }

  /** Removes all; a container that cannot be removed now is left to the watcher. */
  async end(): Promise<void> {
    await this.stopAll();
    this.#watcher?.kill();
  }

  /** Forgotten first: one that cannot be removed is not tried again. */
  async #remove(id: string): Promise<void> {
    const at = this.#books.findIndex((each) => each.id === id);
    if (at >= 0) this.#books.splice(at, 1);
    await removeContainer(await (this.#engine ?? this.#open()), id);
  }

  async #open(): Promise<Engine> {
    const { isDenied } = this.#context;
    if (isDenied('private'))
      throw fail.gateClosed({ gate: 'private', subject: 'the container engine of this machine' });
    try {
      const { host } = this.#context;
      const socket = await engineSocket(host);
      const engine = new Engine(socket);
      await engine.ask({ method: 'GET', path: '/_ping', what: 'answer', timeout_ms: 5000 });
      await removeOrphans(engine);
      this.#watcher = host.processes.start(process.execPath, ['-e', watchScript, socket, this.#mark], {
        env: {},
        outlives: true,
      });
      return engine;
    } catch (error) {
      this.#engine = undefined;
      throw error;
    }
  }

  async #create(engine: Engine, { image, ports, environment }: WantedContainer, signal: AbortSignal): Promise<string> {
    const names = Object.keys(ports).map((port) => `${port}/tcp`);
    const body = {
      Image: image,
      Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      Labels: { [OWNER]: String(process.pid), [MACHINE]: hostname(), [WATCH]: this.#mark },
      ExposedPorts: Object.fromEntries(names.map((name) => [name, {}])),
      HostConfig: {
        PortBindings: Object.fromEntries(
          Object.entries(ports).map(([port, host]) => [
            `${port}/tcp`,
            [{ HostIp: HOST, HostPort: host === 0 ? '' : String(host) }],
          ]),
        ),
      },
    };
    const call = { method: 'POST', path: '/containers/create', body, timeout_ms: CALL_MS, signal } as const;
    let answer = await engine.send(call);
    if (answer.status === 404) {
      await pull(engine, image, signal);
      answer = await engine.send(call);
    }
    const json = answer.status === 201 ? (JSON.parse(new TextDecoder().decode(answer.bytes)) as Json) : null;
    if (isObject(json) && typeof json['Id'] === 'string') return json['Id'];
    throw fail.containerEngineRefused({ what: 'create the container', status: answer.status, answer: wordsOf(answer) });
  }

  async #inspect(engine: Engine, id: string, signal: AbortSignal): Promise<JsonObject> {
    const json = await engine.ask({
      method: 'GET',
      path: `/containers/${id}/json`,
      what: 'tell of the container',
      timeout_ms: CALL_MS,
      signal,
    });
    return isObject(json) ? json : {};
  }

  async #ready(
    engine: Engine,
    started: StartedContainer,
    { image, log, timeout_ms }: WantedContainer,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#context.host;
    const until = clock.monotonic() + timeout_ms;
    for (;;) {
      const { State: state = null } = await this.#inspect(engine, started.id, signal);
      const isRunning = isObject(state) && state['Running'] === true;
      const reason = isRunning ? await this.#lacks(engine, started, log, signal) : 'it has ended';
      if (reason === undefined) return;
      if (!isRunning || clock.monotonic() >= until)
        throw fail.containerNotReady({ image, seconds: timeout_ms / 1000, reason });
      await clock.sleep(POLL_MS, signal);
    }
  }

  /** Lack of a container that runs; undefined: it is ready. */
  async #lacks(
    engine: Engine,
    { id, ports }: StartedContainer,
    log: WantedContainer['log'],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (log) {
      const path = `/containers/${id}/logs?stdout=true&stderr=true&tail=1000`;
      const { bytes } = await engine.send({ method: 'GET', path, timeout_ms: CALL_MS, signal });
      if (new TextDecoder().decode(bytes).split(log.text).length - 1 < log.times)
        return `"${log.text}" is not in its log`;
    }
    for (const port of Object.values(ports)) if (!(await takes(port))) return `nothing answers at port ${port}`;
    return undefined;
  }
}

async function removeContainer(engine: Engine, id: string): Promise<void> {
  const path = `/containers/${encodeURIComponent(id)}?force=true&v=true`;
  const answer = await engine.send({ method: 'DELETE', path, timeout_ms: CALL_MS });
  if (answer.status >= 400 && answer.status !== 404)
    throw fail.containerEngineRefused({ what: 'remove the container', status: answer.status, answer: wordsOf(answer) });
}

/**
 * Removes containers of processes that were killed before they could do so. Jobs in containers of their own that share
 * an engine do not see each other's processes: those of another machine are left alone.
 */
async function removeOrphans(engine: Engine): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: [OWNER, `${MACHINE}=${hostname()}`] }));
  const list = await engine.ask({
    method: 'GET',
    path: `/containers/json?all=true&filters=${filters}`,
    what: 'list containers',
    timeout_ms: CALL_MS,
  });
  for (const each of Array.isArray(list) ? list : []) {
    const { Id: id = null, Labels: labels = null } = isObject(each) ? each : {};
    const isOurs = isObject(labels) && labels[MACHINE] === hostname();
    const owner = isOurs ? Number(labels[OWNER]) : Number.NaN;
    if (typeof id === 'string' && Number.isInteger(owner) && owner > 0 && !isAlive(owner))
      await removeContainer(engine, id).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function pull(engine: Engine, image: string, signal: AbortSignal): Promise<void> {
  // Without a tag an engine may pull all that there are.
  const isTagged = /[:@][^/]*$/.test(image);
  const path = `/images/create?fromImage=${encodeURIComponent(isTagged ? image : `${image}:latest`)}`;
  const answer = await engine.send({ method: 'POST', path, timeout_ms: PULL_MS, signal });
  const text = new TextDecoder().decode(answer.bytes);
  // Progress comes as one JSON object a line; a fault stands in the last one, whatever the status.
  const fault = /"error"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  if (answer.status >= 400 || fault !== undefined) throw fail.imageMissing({ image, reason: fault ?? wordsOf(answer) });
}

/** Ports of this machine by those of the container. */
function portsOf({ NetworkSettings: settings = null }: JsonObject): Record<string, number> {
  const bound = isObject(settings) ? (settings['Ports'] ?? null) : null;
  const found = Object.entries(isObject(bound) ? bound : {}).map(([name, places]) => {
    const [place = null] = Array.isArray(places) ? places : [];
    return [name.replace(/\/tcp$/, ''), isObject(place) ? Number(place['HostPort']) : Number.NaN] as const;
  });
  return Object.fromEntries(found.filter(([name, port]) => /^\d+$/.test(name) && port > 0));
}

/** Whether somebody listens at a port of this machine, who does not hang up at once. */
function takes(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port, timeout: 1000 });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket
      .once('error', () => end(false))
      .once('timeout', () => end(false))
      .once('connect', () => end(true));
  });
}
