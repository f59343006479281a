import { isIP } from 'node:net';
import type { Readable } from 'node:stream';

import type { Dispatcher } from 'undici';

import type { Deadline, Stage } from './deadline.ts';
import type { ConnectTimes, ConnectionPool } from './connection-pool.ts';

/** One request on the wire and its whole answer, still packed. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** Pieces in place of a body, read as they are sent. */
  readonly upload?: AsyncIterable<Uint8Array>;
}

export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
  readonly firstByte: number;
  /** Absent where an open connection was used. */
  readonly connecting: ConnectTimes | undefined;
}

/** A body larger than the limit: the caller knows the request and says it. */
export class TooLarge extends Error {}

/** Part of an answer that came before it broke off. */
export interface Answered {
  readonly status: number;
  /** Bytes of the body, still packed. */
  readonly received: number;
}

/** Whatever broke a request off, with how far it had come. */
export class HopError extends Error {
  readonly stage: Stage;
  /** Present where the head of the answer had come. */
  readonly answered: Answered | undefined;
  /** No byte of an answer had come, on a connection that was open before: the server may just have closed it. */
  readonly stale: boolean;

  constructor(cause: unknown, stage: Stage, stale: boolean, answered?: Answered) {
    super('request broke off', { cause });
    this.stage = stage;
    this.answered = answered;
    this.stale = stale;
  }
}

/**
 * Sends one request over a pool. Rejects with a HopError as soon as the deadline is over, also while a connection is
 * still being made, which undici itself would wait for.
 */
export function sendHop(
  pool: ConnectionPool,
  hop: Hop,
  limit: number,
  deadline: Deadline,
  now: () => number,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const collector = new Collector(pool, limit, deadline, now, resolve, reject);
    deadline.wait((reason) => collector.stop(reason));
    if (!deadline.isOver) collector.start(hop);
  });
}

/** Takes the events of one exchange; settles once. */
class Collector implements Dispatcher.DispatchHandler {
  readonly #pool: ConnectionPool;
  readonly #limit: number;
  readonly #deadline: Deadline;
  readonly #now: () => number;
  readonly #resolve: (answer: RawAnswer) => void;
  readonly #reject: (error: HopError) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #stage: Stage = 'connect';
  #connecting: ConnectTimes | undefined;
  #settled = false;
  #hasBody = true;
  #startedAt = 0;
  #firstByte = 0;
  #status = 0;
  #reason = '';
  #headers: Readonly<Record<string, string | string[] | undefined>> = {};
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(
    pool: ConnectionPool,
    limit: number,
    deadline: Deadline,
    now: () => number,
    resolve: (answer: RawAnswer) => void,
    reject: (error: HopError) => void,
  ) {
    this.#pool = pool;
    this.#limit = limit;
    this.#deadline = deadline;
    this.#now = now;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start({ method, url, headers, body, upload }: Hop): void {
    this.#startedAt = this.#now();
    this.#hasBody = method !== 'HEAD';
    this.#deadline.enter(this.#pool.looksUp && isIP(bare(url.hostname)) === 0 ? 'dns' : 'connect');
    try {
      this.#connecting = this.#pool.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers,
          // It takes any iterable, which its type does not say.
          body: upload ? (upload as unknown as Readable) : body === null ? null : Buffer.from(body),
        },
        this,
        (part) => this.#passed(part, url),
      );
      // It waits for an open connection, which has no limit but that of the whole.
      if (this.#connecting === undefined && this.#stage === 'connect') this.#deadline.enter();
    } catch (error) {
      this.stop(error);
    }
  }

  stop(cause: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#deadline.leave();
    this.#controller?.abort(cause instanceof Error ? cause : new Error('stopped', { cause }));
    const isStale = this.#stage === 'answer' && this.#connecting === undefined;
    const answered = this.#stage === 'body' ? { status: this.#status, received: this.#size } : undefined;
    this.#reject(new HopError(cause, this.#stage, isStale, answered));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) return controller.abort(new Error('stopped'));
    this.#stage = 'answer';
    this.#deadline.enter('first_byte');
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    reason?: string,
  ): void {
    if (status < 200) return;
    this.#firstByte = this.#now() - this.#startedAt;
    this.#deadline.enter();
    this.#stage = 'body';
    this.#status = status;
    this.#reason = reason ?? '';
    this.#headers = headers;
    if (this.#hasBody && Number(headers['content-length']) > this.#limit) this.#tooLarge(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) this.#tooLarge(controller);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#deadline.leave();
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    const answer = {
      status: this.#status,
      reason: this.#reason,
      headers: this.#headers,
      body,
      firstByte: this.#firstByte,
      connecting: this.#connecting,
    };
    // undici frees the connection in an immediate that it asks for after this call. Ours comes behind it, so that the next
    // request finds the connection free.
    queueMicrotask(() => setImmediate(() => this.#resolve(answer)));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.stop(error);
  }

  /** A part of making the connection has ended; the next one begins. */
  #passed(part: keyof ConnectTimes, url: URL): void {
    if (this.#settled || this.#stage !== 'connect') return;
    if (part === 'dns') this.#deadline.enter('connect');
    else if (part === 'connect' && url.protocol === 'https:') this.#deadline.enter('tls');
    else this.#deadline.enter();
  }

  #tooLarge(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.stop(new TooLarge());
  }
}

/** An address of version 6 without its brackets. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
