import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { Failure } from '#schemas/types/failure.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';

import type { Method, MockAnswer, MockRequest, MockRoute } from '../../mock/http/port.ts';
import { findEntry } from '../cassette/tape.ts';
import type { TapeEntry } from '../cassette/tape.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const FORWARD_MS = 30_000;

/** Headers that belong to one connection, or that say how bytes went over it. */
const ofConnection: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface ProxyOptions {
  readonly rule: string;
  /** Nothing above its path is asked. */
  readonly upstream: URL;
  readonly replayOnly: boolean;
}

/** Entries on the tape so far, and the function that adds one. */
export interface Tape {
  readonly entries: readonly TapeEntry[];
  /** Resolves when an entry for its request is in the file: of two that came at once the first. */
  add(entry: TapeEntry): Promise<void>;
}

/** Answers from a tape; what is not there is asked of a real server, and put on the tape. */
export function proxyRoute(options: ProxyOptions, tape: Tape, ctx: Base & Pick<Ports, 'http'>): MockRoute {
  return {
    rule: options.rule,
    methods,
    answer: async (request, { signal, note }) => {
      const url = upstreamUrl(request, options.upstream);
      if (!url) return { status: 400, body: { error: 'the path leads out of the base address' } };
      const wanted = { method: request.method, url: url.href, request_body: bodyText(request.bytes) };
      const kept = tape.entries[findEntry(tape.entries, wanted)];
      if (kept) return replayed(kept);
      if (options.replayOnly) return { status: 404, body: { error: 'no cassette entry' } };
      return await forward({ request, url, wanted, signal, note }, tape, ctx);
    },
  };
}

/** The address below the base; undefined: it leads out of it. */
function upstreamUrl({ params, encodedParams, query }: MockRequest, base: URL): URL | undefined {
  const path = params['upstream_path'] ?? '';
  if (path.split('/').some((piece) => piece === '.' || piece === '..')) return undefined;
  const url = new URL(base);
  const encoded = encodedParams?.['upstream_path'] ?? path.split('/').map(encodeURIComponent).join('/');
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${encoded}`;
  for (const [name, value] of Object.entries(query))
    for (const one of typeof value === 'string' ? [value] : value) url.searchParams.append(name, one);
  return url;
}

interface Forwarding {
  readonly request: MockRequest;
  readonly url: URL;
  readonly wanted: Pick<TapeEntry, 'method' | 'url' | 'request_body'>;
  readonly signal: AbortSignal;
  note(error: unknown): void;
}

async function forward(
  { request, url, wanted, signal, note }: Forwarding,
  tape: Tape,
  { http }: Pick<Ports, 'http'>,
): Promise<MockAnswer> {
  try {
    const answer = await http.send({
      method: request.method,
      url,
      headers: withoutConnection(request.headers),
      ...(request.bytes.length > 0 ? { body: request.bytes } : {}),
      timeout_ms: FORWARD_MS,
      signal,
    });
    const text = textOf(answer.body);
    const headers = withoutConnection(answer.headers);
    const entry: TapeEntry = {
      ...wanted,
      response_status: answer.status,
      response_body: text ?? Buffer.from(answer.body).toString('base64'),
      ...(text === undefined ? { response_encoding: 'base64' } : {}),
      response_headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? '***' : value]),
      ),
    };
    await tape.add(entry);
    const set_cookies = answer.set_cookies.map(({ line }) => line);
    return { status: answer.status, headers, ...(set_cookies.length > 0 ? { set_cookies } : {}), bytes: answer.body };
  } catch (error) {
    note(error);
    if (!(error instanceof Failure)) throw error;
    return { status: 502, body: { error: error.facts.message } };
  }
}

/** Body of a request on the tape: two that are no text and differ must not be taken for one. */
function bodyText(bytes: Uint8Array): string {
  return textOf(bytes) ?? `data:;base64,${Buffer.from(bytes).toString('base64')}`;
}

/** Undefined: it is no UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function replayed({ response_status, response_body, response_headers, response_encoding }: TapeEntry): MockAnswer {
  return {
    status: response_status,
    headers: withoutConnection(response_headers),
    bytes: Buffer.from(response_body, response_encoding ?? 'utf8'),
  };
}

function withoutConnection(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = new Set((headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.has(name.toLowerCase()) && !named.has(name.toLowerCase())),
  );
}
