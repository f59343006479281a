import { hostOf, hostOfOrigin } from '#grammar/http/hosts.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { askedActions, type ActionsAsked } from '../asked-actions.ts';

/** An answer before it is bytes. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: no body, or one that is there as text. */
  readonly body?: Json;
  readonly text?: string;
}

/** The part of a request that decides its route. */
export interface RequestHead {
  readonly method: string;
  /** Target as it came, with a query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Others may take it for another request: several hosts, or chunks in HTTP/1.0. */
  readonly isAmbiguous: boolean;
}

export interface HeadRules {
  /** Whether the header `authorization` proves the secret; true where there is none. */
  readonly isSignedIn: (head: RequestHead) => boolean;
  /** Hosts that the server is asked by, lower case, without port; null: any. */
  readonly hosts: ReadonlySet<string> | null;
  readonly maxBytes: number;
}

export type Route = 'run' | 'healthz' | 'readyz' | 'openapi';

const methods: Readonly<Record<string, Readonly<Record<string, Route | 'live'>>>> = {
  '/actions': { POST: 'run', OPTIONS: 'live' },
  '/healthz': { GET: 'healthz', HEAD: 'healthz' },
  '/readyz': { GET: 'readyz', HEAD: 'readyz' },
  '/openapi.json': { GET: 'openapi', HEAD: 'openapi' },
};

/**
 * Route of a request, or the answer that it gets at once. In order: framing, host and origin, path, method, secret,
 * length, type.
 */
export function routeOf(head: RequestHead, rules: HeadRules): Route | Answer {
  const foreign = foreignOf(head, rules.hosts);
  if (foreign) return foreign;
  // Probes put a query behind to get past caches; an action list has none that it could mean.
  const isRead = head.method === 'GET' || head.method === 'HEAD';
  const path = isRead ? (head.target.split('?', 1)[0] ?? '') : head.target;
  const known = Object.hasOwn(methods, path) ? methods[path] : undefined;
  if (path === '/progress' || path.startsWith('/progress?')) return upgradeRequired;
  if (!known) return refusal(404, 'not found');
  const route = Object.hasOwn(known, head.method) ? known[head.method] : undefined;
  const allow = Object.keys(known).join(', ');
  if (route === undefined) return { ...refusal(405, `${path} takes ${allow}`), headers: { allow } };
  if (route === 'live') return { status: 204, headers: { allow } };
  if (route !== 'run') return route;
  if (!rules.isSignedIn(head)) return unauthorized(head);
  return lengthRefused(head, rules.maxBytes) ?? typeRefused(head) ?? 'run';
}

/**
 * The refusal of what others might read as another request, of a page of another site, and of a name that somebody else
 * gave this machine (DNS rebinding).
 */
export function foreignOf(
  { headers, isAmbiguous }: RequestHead,
  hosts: ReadonlySet<string> | null,
): Answer | undefined {
  if (isAmbiguous) return last(refusal(400, 'request is ambiguous'));
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return last(refusal(501, 'transfer-encoding must be chunked'));
  if (hosts === null) return undefined;
  if (!hosts.has(hostOf(headers['host'] ?? ''))) return refusal(403, 'host not allowed');
  const { origin } = headers;
  if (origin !== undefined && !hosts.has(hostOfOrigin(origin))) return refusal(403, 'origin not allowed');
  return undefined;
}

/** Answer to a request for the WebSocket that asks for no upgrade. */
export const upgradeRequired: Answer = {
  status: 426,
  headers: { upgrade: 'websocket', connection: 'close, upgrade' },
  body: { error: 'websocket upgrade required' },
};

export function unauthorized({ headers }: RequestHead): Answer {
  const error = headers['authorization'] === undefined ? 'missing bearer token' : 'bad shared secret';
  return { ...refusal(401, error), headers: { 'www-authenticate': 'Bearer' } };
}

function lengthRefused({ headers }: RequestHead, maxBytes: number): Answer | undefined {
  const length = headers['content-length'];
  if (length === undefined)
    return headers['transfer-encoding'] === undefined ? last(refusal(411, 'content-length required')) : undefined;
  if (!/^\d+$/.test(length)) return refusal(400, 'content-length is no number');
  if (Number(length) === 0) return refusal(400, 'empty body');
  return isTooLong(headers, maxBytes) ? tooLarge(maxBytes) : undefined;
}

/** Whether a request says of its body that it is too large. */
export function isTooLong(headers: RequestHead['headers'], maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes;
}

function typeRefused({ headers }: RequestHead): Answer | undefined {
  const type = headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) return refusal(415, 'content-type must be application/json');
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type) ?? [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return refusal(415, 'charset must be utf-8');
  const coding = headers['content-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'identity') return undefined;
  return { ...refusal(415, 'content-encoding must be identity'), headers: { 'accept-encoding': 'identity' } };
}

/** An answer after which nothing more is read: what follows may be meant as a part of this request. */
function last(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

export function tooLarge(maxBytes: number): Answer {
  return refusal(413, `body above ${maxBytes} bytes`);
}

/** A refusal, and what to do about it; the connection is not used again, since the body may not have been read. */
export function refusal(status: number, error: string, help?: string): Answer {
  return { status, body: { error, ...(help !== undefined && { help }) } };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body: JSON in UTF-8 that asks for actions. */
export function readActions(bytes: Uint8Array): ActionsAsked | Answer {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refusal(400, 'body is not UTF-8');
  }
  let body: Json;
  try {
    body = JSON.parse(text) as Json;
  } catch (error) {
    return refusal(400, `body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const asked = askedActions(body);
  return typeof asked === 'string' ? refusal(422, asked) : asked;
}

/** The answer to a list that has run. */
export function ran(results: JsonObject, failed: number): Answer {
  return { status: 200, headers: { 'x-svc-failed-actions': String(failed) }, body: results };
}
