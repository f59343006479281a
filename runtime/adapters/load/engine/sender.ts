import { createHash, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

import { Agent } from 'undici';
import type { Dispatcher } from 'undici';

import { digestAuthorization } from '#grammar/http/digest.ts';
import type { LoadPlan, LoadTask } from '#schemas/types/load.ts';

/** Outcome of one request; `status` is absent where no answer came. */
export interface Outcome {
  readonly bytes: number;
  readonly status?: number;
  readonly error?: string;
}

const REDIRECTS = 10;

/** Sends requests over connections that are kept, and reads answers without keeping them. */
export class Sender {
  readonly #agent: Agent;
  readonly #bodies = new Map<string, Buffer>();

  constructor({ verify, addresses }: Pick<LoadPlan, 'verify' | 'addresses'>, connections: number) {
    const lookup = addresses && lookupOf(addresses);
    this.#agent = new Agent({
      connections,
      pipelining: 1,
      connect: { rejectUnauthorized: verify, ...(lookup ? { lookup } : {}) },
    });
  }

  send(task: LoadTask, done: (outcome: Outcome) => void, redirects = 0): void {
    const url = new URL(task.url);
    let status: number | undefined;
    let bytes = 0;
    let location: string | undefined;
    let challenges = '';
    let isDone = false;
    const finish = (outcome: Outcome): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      done(outcome);
    };
    let cancel: ((error: Error) => void) | undefined;
    const timer = setTimeout(() => {
      cancel?.(new Error('timeout'));
      finish({ bytes, error: 'timeout' });
    }, task.timeout_ms);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        cancel = (error) => controller.abort(error);
        if (isDone) controller.abort(new Error('timeout'));
      },
      onResponseStart: (_controller, code, headers) => {
        status = code;
        const value = headers['location'];
        location = typeof value === 'string' ? value : undefined;
        challenges = [headers['www-authenticate'] ?? []].flat().join(', ');
      },
      onResponseData: (_controller, chunk) => {
        bytes += chunk.length;
      },
      onResponseEnd: () => {
        const next =
          status === 401
            ? this.#authorized(task, challenges)
            : task.follow &&
                location !== undefined &&
                status !== undefined &&
                isRedirect(status) &&
                redirects < REDIRECTS
              ? redirected(task, new URL(location, url), status)
              : undefined;
        if (next) {
          isDone = true;
          clearTimeout(timer);
          this.send(next, done, redirects + 1);
        } else finish({ bytes, ...(status === undefined ? {} : { status }) });
      },
      onResponseError: (_controller, error) => finish({ bytes, error: reasonOf(error) }),
    };
    this.#agent.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: task.method as Dispatcher.HttpMethod,
        headers: task.headers,
        body: this.#body(task) ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
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

  /** Cuts what is still under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
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
