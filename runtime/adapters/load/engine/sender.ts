import { createHash, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

import { Client } from 'undici';
import type { Dispatcher } from 'undici';

import { digestAuthorization } from '#grammar/http/digest.ts';
import type { LoadPlan, LoadTask } from '#schemas/types/load.ts';

/** Outcome of one request; `status` is absent where no answer came. */
export interface Outcome {
  readonly bytes: number;
  readonly status?: number;
  readonly error?: string;
}

type Done = (outcome: Outcome) => void;

const REDIRECTS = 10;

/** Sends requests over connections that are kept, and reads answers without keeping them. */
export class Sender {
  readonly #lookup: LookupFunction | undefined;
  readonly #connections = new Set<Connection>();
  /**
   * Connections that nobody uses, by origin and by whether its certificate is checked: the one used last is the first
   * to be used again.
   */
  readonly #free = new Map<string, Connection[]>();
  readonly #prepared = new WeakMap<LoadTask, Prepared>();
  readonly #bodies = new Map<string, Buffer>();

  constructor({ addresses }: Pick<LoadPlan, 'addresses'>) {
    this.#lookup = addresses && lookupOf(addresses);
  }

  send(task: LoadTask, done: Done, redirects = 0): void {
    const prepared = this.#prepare(task);
    const free = this.#freeOf(prepared);
    const connection = free.pop() ?? this.#connect(prepared);
    connection.ask(prepared.request, task.timeout_ms, (outcome, answer) => {
      if (outcome.error === undefined) free.push(connection);
      else this.#drop(connection);
      const next = answer && this.#next(task, answer, redirects);
      if (next) this.send(next, done, redirects + 1);
      else done(outcome);
    });
  }

  /** Ends what is still under way, for this reason. */
  cut(reason: string): void {
    for (const connection of this.#connections) connection.cut(reason);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections].map(async (connection) => await connection.destroy()));
  }

  /** Parts of a request that are the same each time it is sent. */
  #prepare(task: LoadTask): Prepared {
    const known = this.#prepared.get(task);
    if (known) return known;
    const { origin, pathname, search } = new URL(task.url);
    const { method } = task;
    const headers = Object.entries(task.headers).flat();
    const request = { path: pathname + search, method, headers, body: this.#body(task) ?? null };
    const made = { origin, isVerified: task.unverified !== true, request };
    this.#prepared.set(task, made);
    return made;
  }

  #freeOf({ origin, isVerified }: Prepared): Connection[] {
    const server = isVerified ? origin : `unverified ${origin}`;
    const free = this.#free.get(server) ?? [];
    this.#free.set(server, free);
    return free;
  }

  #connect({ origin, isVerified }: Prepared): Connection {
    const lookup = this.#lookup;
    const connect = { rejectUnauthorized: isVerified, ...(lookup ? { lookup } : {}) };
    const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connect };
    const connection = new Connection(new Client(origin, options));
    this.#connections.add(connection);
    return connection;
  }

  /** Nobody waits for a connection that failed, or that is still being made when its request has no time left. */
  #drop(connection: Connection): void {
    this.#connections.delete(connection);
    void connection.destroy();
  }

  /** The request that an answer asks for. */
  #next(task: LoadTask, { status, headers }: Answer, redirects: number): LoadTask | undefined {
    if (status === 401) return this.#authorized(task, [headers['www-authenticate'] ?? []].flat().join(', '));
    if (!task.follow || !isRedirect(status) || redirects >= REDIRECTS) return undefined;
    const target = headers['location'];
    if (typeof target !== 'string' || !URL.canParse(target, task.url)) return undefined;
    return redirected(task, new URL(target, task.url), status);
  }

  /** The request with an answer to the challenge, which it gives once. */
  #authorized(task: LoadTask, challenges: string): LoadTask | undefined {
    const { digest: login, ...rest } = task;
    if (!login) return undefined;
    const { pathname, search } = new URL(task.url);
    const answering = { method: task.method, target: pathname + search, body: this.#body(task), login, hash };
    const authorization = digestAuthorization(challenges, { ...answering, cnonce: randomUUID() });
    return authorization === undefined ? undefined : { ...rest, headers: { ...rest.headers, authorization } };
  }

  #body({ body, body_base64: encoded }: LoadTask): string | Buffer | undefined {
    if (encoded === undefined) return body;
    const bytes = this.#bodies.get(encoded) ?? Buffer.from(encoded, 'base64');
    this.#bodies.set(encoded, bytes);
    return bytes;
  }
}

/** Parts of a request that are the same each time it is sent. */
interface Prepared {
  readonly origin: string;
  readonly isVerified: boolean;
  readonly request: Omit<Dispatcher.DispatchOptions, 'origin'>;
}

/** Head of an answer, as far as it may ask for another request. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Hears the outcome of one request, once. `answer` is absent where none came. */
type Ended = (outcome: Outcome, answer?: Answer) => void;

/**
 * One connection, which takes one answer after the other. It and its timer serve all its requests: made anew for each,
 * they cost more than the rest of a request does here.
 */
class Connection implements Dispatcher.DispatchHandler {
  readonly #client: Client;
  #timer: NodeJS.Timeout | undefined;
  #timeoutMs = 0;
  #controller: Dispatcher.DispatchController | undefined;
  /** Absent: no request is under way. */
  #ended: Ended | undefined;
  #answer: Answer | undefined;
  #bytes = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  ask(request: Prepared['request'], timeoutMs: number, ended: Ended): void {
    this.#ended = ended;
    this.#controller = undefined;
    this.#answer = undefined;
    this.#bytes = 0;
    this.#limit(timeoutMs);
    this.#client.dispatch(request, this);
  }

  cut(reason: string): void {
    this.#fail(reason);
  }

  async destroy(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#client.destroy();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (!this.#ended) controller.abort(new Error('timeout'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Answer['headers']): void {
    this.#answer = { status, headers };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.length;
  }

  onResponseEnd(): void {
    const answer = this.#answer;
    if (answer) this.#end({ bytes: this.#bytes, status: answer.status }, answer);
    else this.#fail('no answer');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(reasonOf(error));
  }

  /** Begins the time anew. The timer of the request before still runs; it would find this one under way. */
  #limit(timeoutMs: number): void {
    if (this.#timer && this.#timeoutMs === timeoutMs) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#timeoutMs = timeoutMs;
    this.#timer = setTimeout(() => this.#fail('timeout'), timeoutMs);
  }

  #fail(error: string): void {
    if (!this.#ended) return;
    const controller = this.#controller;
    this.#end({ bytes: this.#bytes, error });
    controller?.abort(new Error(error));
  }

  #end(outcome: Outcome, answer?: Answer): void {
    const ended = this.#ended;
    this.#ended = undefined;
    ended?.(outcome, answer);
  }
}

/** Looks names up among addresses that were checked; any other name has none. */
function lookupOf(addresses: NonNullable<LoadPlan['addresses']>): LookupFunction {
  return (hostname, options, callback) => {
    const found = Object.hasOwn(addresses, hostname) ? (addresses[hostname] ?? []) : [];
    const list = found.map((address) => ({ address, family: isIP(address) }));
    const [first] = list;
    if (!first) callback(Object.assign(new Error('this host was not checked'), { code: 'EPRIVATE' }), '', 0);
    else if (options.all) callback(null, list);
    else callback(null, first.address, first.family);
  };
}

function hash(name: string, text: string | Uint8Array): string {
  return createHash(name).update(text).digest('hex');
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Another origin gets no login, and no body where the verb changes. */
function redirected(task: LoadTask, url: URL, status: number): LoadTask {
  const changes = status === 303 || (status < 303 && task.method === 'POST');
  const isElsewhere = url.origin !== new URL(task.url).origin;
  const left = Object.entries(task.headers).filter(
    ([name]) =>
      !(changes && /^content-/i.test(name)) && !(isElsewhere && !/^(?:accept|user-agent|accept-language)$/i.test(name)),
  );
  const { digest, ...plain } = task;
  const { body: _body, body_base64: _bytes, ...rest } = plain;
  return {
    ...(changes ? rest : plain),
    ...(digest && !isElsewhere ? { digest } : {}),
    url: url.href,
    method: changes ? 'GET' : task.method,
    headers: Object.fromEntries(left),
  };
}

function reasonOf(error: Error & { readonly code?: string }): string {
  return error.code ?? error.message.slice(0, 80);
}
