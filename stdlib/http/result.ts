import type { Ports } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';

import { decodeBody, isJson } from './body-text.ts';
import { shownHeaders } from './headers.ts';
import { parseJson } from './parse-json.ts';

export type HttpAnswer = Awaited<ReturnType<Ports['http']['send']>>;
type SentRequest = HttpAnswer['request'];

/** The recorded fields of an answer (`http_result` of the declarations): a step's result, and `last_response`. */
export interface HttpResult {
  readonly status_code: number;
  readonly reason: string;
  readonly headers: Record<string, string>;
  readonly text: string;
  /** The parsed body of a JSON media type, else null. */
  readonly json: Json;
  /** Reason why a body of a JSON media type could not be parsed. */
  readonly json_error?: string;
  readonly encoding: string | null;
  readonly cookies: Record<string, string>;
  readonly history: {
    status_code: number;
    request_method: string;
    request_url: string;
    headers: Record<string, string>;
  }[];
  /** Seconds. */
  readonly elapsed: number;
  readonly elapsed_ms: number;
  readonly request_time_sec: number;
  readonly request_method: string;
  readonly request_url: string;
  readonly request_headers: Record<string, string>;
  readonly request_body: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly timings_ms: { dns?: number; connect?: number; tls?: number; first_byte: number; total: number };
}

export function toResult(answer: HttpAnswer): HttpResult {
  const contentType = answer.headers['content-type'];
  const { text, encoding } = decodeBody(answer.body, contentType);
  const parsed = text !== '' && isJson(contentType) ? parseJson(text) : { json: null };
  const elapsedMs = round(answer.elapsed_ms);
  const result: HttpResult = {
    status_code: answer.status,
    reason: answer.reason,
    headers: answer.headers,
    text,
    json: 'json' in parsed ? parsed.json : null,
    ...('error' in parsed ? { json_error: parsed.error } : {}),
    encoding,
    cookies: Object.fromEntries(answer.set_cookies.map(({ name, value }) => [name, value])),
    history: answer.history.map(({ status, headers, request }) => ({
      status_code: status,
      request_method: request.method,
      request_url: request.url,
      headers,
    })),
    elapsed: elapsedMs / 1000,
    elapsed_ms: elapsedMs,
    request_time_sec: elapsedMs / 1000,
    request_method: answer.request.method,
    request_url: answer.request.url,
    request_headers: shownHeaders(answer.request.headers),
    request_body: bodyText(answer.request),
    start_time: new Date(answer.started_at).toISOString(),
    // Start plus elapsed, so that it never precedes the start, not even when the clock is set back.
    end_time: new Date(answer.started_at + elapsedMs).toISOString(),
    timings_ms: roundAll(answer.timings),
  };
  return withContent(result, answer.body);
}

const bodyOf = Symbol('body');

/** One for all results: with a getter of its own each would be of a shape of its own, which is slow to read. */
const content: PropertyDescriptor = {
  get(this: { readonly [bodyOf]: Uint8Array }) {
    return Buffer.from(this[bodyOf]).toString('base64');
  },
};

/**
 * `content`, the body as base64, is made when somebody asks for it and is not listed among the fields: in records it
 * would stand beside the text that it repeats.
 */
function withContent(result: HttpResult, body: Uint8Array): HttpResult {
  Object.defineProperty(result, bodyOf, { value: body });
  return Object.defineProperty(result, 'content', content);
}

/** A field by name, `content` too; null where an answer has none of that name. */
export function fieldOf(result: HttpResult, name: string): Json {
  return (result as unknown as Readonly<Record<string, Json | undefined>>)[name] ?? null;
}

export function bodyText({ body }: SentRequest): string | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? body : Buffer.from(body).toString('base64');
}

/** Microseconds are as fine as clocks are honest. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function roundAll(timings: HttpAnswer['timings']): HttpResult['timings_ms'] {
  const rounded = { ...timings } as Record<string, number>;
  for (const name in rounded) rounded[name] = round(rounded[name] ?? 0);
  return rounded as unknown as HttpResult['timings_ms'];
}
