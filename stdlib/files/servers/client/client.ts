import { isLoopback } from '#grammar/http/hosts.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { isObject, type Json } from '#schemas/types/json.ts';
import { command, type Context } from '#stdlib/command.ts';

import { clientFailure, type ActionClientKind } from './client-failure.ts';

/** A ping asks no longer than this, whatever its caller allows (s). */
const PING_S = 5;
/** So much of an answer that is no JSON is told. */
const TOLD = 200;

interface Server {
  readonly base_url: string;
  readonly shared_secret: string | null;
  readonly timeout: number;
  readonly verify_loopback: boolean;
}

type Tools = Pick<Context<'FA_client_execute'>, 'http' | 'outbound' | 'signal'>;
type Answer = Awaited<ReturnType<Ports['http']['send']>>;

export const FA_client_ping = command('FA_client_ping', async (params, ctx) => {
  try {
    const status = await statusOf({ ...params, timeout: Math.min(params.timeout, PING_S) }, ctx);
    return status < 500 || status === 501;
  } catch (error) {
    if (error instanceof Failure && error.facts.code === NETWORK) return false;
    throw error;
  }
});

export const FA_client_execute = command('FA_client_execute', async ({ actions, ...server }, ctx) => {
  const answer = await post(JSON.stringify(actions), server, ctx);
  const url = addressOf(server);
  const text = new TextDecoder().decode(answer.body);
  const value = jsonOf(text);
  if (answer.status >= 300) throw refused(url, answer.status, told(value, text, ctx));
  if (value === undefined)
    throw clientFailure('invalid_response', {
      url,
      reason: 'the answer is no JSON',
      status: answer.status,
      actual: ctx.excerpt(text, TOLD),
    });
  return value;
});

/** The code of `action-client-network`. */
const NETWORK = 'SVC89006';

const kinds: Readonly<Record<number, ActionClientKind>> = { 401: 'unauthorized', 403: 'forbidden', 404: 'not_found' };

/** Status of an answer whose body is not read: it may have no end. */
function statusOf(server: Server, tools: Tools): Promise<number> {
  return asking(server, tools, async (request) => {
    const stream = await tools.http.receive({ ...request, method: 'OPTIONS', idle_ms: request.timeout_ms });
    stream.close();
    return stream.status;
  });
}

function post(body: string, server: Server, tools: Tools): Promise<Answer> {
  return asking(server, tools, (request) =>
    tools.http.send({
      ...request,
      method: 'POST',
      headers: { ...request.headers, 'content-type': 'application/json' },
      body,
    }),
  );
}

type Request = Omit<Parameters<Ports['http']['send']>[0], 'method'>;

/** Sends a request to the server. A broken connection and an answer that cannot be used are failures of the client. */
async function asking<Result>(
  { shared_secret: secret, timeout, ...server }: Server,
  tools: Tools,
  send: (request: Request) => Promise<Result>,
): Promise<Result> {
  const url = addressOf(server);
  const parsed = URL.parse(url);
  if (!parsed) throw fail.outboundAddressForm({ url });
  try {
    return await send({
      url: await targetOf(parsed, server.verify_loopback, tools),
      headers: secret === null ? {} : { authorization: `Bearer ${headerOf(secret)}` },
      timeout_ms: timeout * 1000,
      signal: tools.signal,
      // The secret goes where it was meant for, through nobody.
      follow: false,
      proxies: {},
    });
  } catch (cause) {
    const kind = tools.signal.aborted || !(cause instanceof Failure) ? undefined : kindOf(cause);
    if (!kind || !(cause instanceof Failure)) throw cause;
    const { actual = null } = cause.options;
    const status = isObject(actual) && typeof actual['status'] === 'number' ? { status: actual['status'] } : {};
    throw clientFailure(kind, { url, reason: cause.message, ...status, cause });
  }
}

/** A secret in UTF-8, each byte as one character: more than bytes no header can hold. */
function headerOf(secret: string): string {
  return String.fromCharCode(...new TextEncoder().encode(secret));
}

/** Codes of answers whose body cannot be read: too large, or packed in a way that is not known or does not fit. */
const UNREADABLE: ReadonlySet<string> = new Set(['SVC83017', 'SVC83018']);

function kindOf({ facts: { code, kinds } }: Failure): ActionClientKind | undefined {
  if (kinds.includes('timeout')) return 'timeout';
  if (kinds.includes('network')) return 'network';
  return UNREADABLE.has(code) ? 'invalid_response' : undefined;
}

/**
 * Address that the request goes to. Where this machine alone is wanted, an address that was checked and not a
 * name that may lead elsewhere by then.
 */
async function targetOf(url: URL, mustBeLoopback: boolean, { outbound, signal }: Tools): Promise<URL> {
  if (!mustBeLoopback) return url;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await outbound.checkHost(name, { signal, allowPrivate: true });
  const other = addresses.find((address) => !isLoopback(address));
  if (other !== undefined)
    throw clientFailure('not_loopback', {
      url: url.href,
      reason: `"${name}" leads to ${other}, which is not this machine`,
    });
  const target = new URL(url);
  // A certificate is for a name.
  if (url.protocol === 'http:')
    target.hostname = hostOf(addresses.find((address) => !address.includes(':')) ?? addresses[0] ?? name);
  return target;
}

function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function addressOf({ base_url: base }: Pick<Server, 'base_url'>): string {
  return `${base.replace(/\/+$/, '')}/actions`;
}

function refused(url: string, status: number, words: string): Failure {
  const kind = kinds[status] ?? 'http';
  const why = status < 400 ? 'redirects are not followed' : words;
  const reason =
    kind === 'not_found' ? 'the server does not serve /actions' : `status ${status}${why === '' ? '' : `, ${why}`}`;
  return clientFailure(kind, { url, reason, status, actual: status });
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The server's own words about a refusal, as part of a sentence. */
function told(value: Json | undefined, text: string, ctx: Base): string {
  const error = value !== undefined && isObject(value) ? value['error'] : undefined;
  return typeof error === 'string' ? error : ctx.excerpt(text, TOLD);
}
