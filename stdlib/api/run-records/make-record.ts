import * as fail from '#schemas/generated/failures.ts';
import type { Ports } from '#runtime/kernel/ports.ts';
import { toNumber } from '#runtime/kernel/values/convert.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import type { RunContext } from './run-context.ts';

type RequestEntry = ReturnType<Ports['requestLog']['entries']>[number];

/** Headers whose values no record holds. */
const REDACTED = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** Fields of a record with the identity of its run, a random id and empty lists where nothing is given. */
export function completed(context: RunContext, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const identity = context.identity();
  for (const [key, value] of Object.entries(identity))
    if (Object.hasOwn(fields, key) && fields[key] !== value)
      throw fail.requestRecord({ place: key, reason: `contradicts that of the run, "${String(value)}"` });
  const [method, url] = [fields['request_method'], fields['request_url']].map((text) =>
    typeof text === 'string' ? text : '',
  );
  return {
    schema_version: 1,
    record_id: crypto.randomUUID(),
    scenario_id: null,
    step_id: null,
    protocol: 'http',
    name: `${method} ${url}`,
    status_code: null,
    start_time: null,
    end_time: null,
    response_time_ms: null,
    response_length: null,
    outcome: fields['error'] ? 'failed' : 'passed',
    error: null,
    assertions: [],
    extensions: {},
    ...fields,
    ...identity,
  };
}

/**
 * Measured fields of a request that a command has made; `assertions` as it was asked for, up to the first that failed.
 */
export function measuredFields(entry: RequestEntry, assertions: readonly JsonObject[]): Record<string, unknown> {
  return {
    step_id: entry.step,
    protocol: entry.protocol,
    request_method: entry.method,
    request_url: entry.url,
    status_code: entry.status,
    start_time: entry.started_at / 1000,
    end_time: (entry.started_at + entry.elapsed_ms) / 1000,
    response_time_ms: entry.elapsed_ms,
    response_length: entry.length,
    error: entry.error ? { kind: entry.error.kind, message: entry.error.message || entry.error.kind } : null,
    assertions,
  };
}

/**
 * A recorded success, or a failure as the pair of its call and its error, as fields of a record; either also as a saved
 * report has it, where numbers are text.
 */
export function legacyFields(record: Json, capturePayload: boolean): Record<string, unknown> {
  if (Array.isArray(record)) return failureFields(record as readonly Json[]);
  if (!isObject(record)) throw fail.requestRecord({ place: 'the record', reason: 'is neither an object nor a pair' });
  if (record['http_method'] !== undefined && typeof record['error'] === 'string') return savedFailure(record);
  const method = text(record['request_method'], 'GET').toUpperCase();
  const elapsed = number(record['elapsed'] ?? record['request_time_sec']);
  const content = contentOf(record);
  return {
    request_method: method,
    request_url: text(record['request_url'] ?? record['url'], ''),
    status_code: number(record['status_code']),
    start_time: seconds(record['start_time']),
    end_time: seconds(record['end_time']),
    response_time_ms: elapsed === null ? null : elapsed * 1000,
    response_length: content?.length ?? null,
    ...(capturePayload && payload(record, content)),
  };
}

function failureFields(pair: readonly Json[]): Record<string, unknown> {
  const [call, message] = pair;
  if (pair.length !== 2 || !isObject(call) || typeof message !== 'string')
    throw fail.requestRecord({ place: 'the record', reason: 'is no pair of an object and a text' });
  const options = call;
  return {
    request_method: text(options['http_method'], 'GET')
      .replace(/^session_/i, '')
      .toUpperCase(),
    request_url: text(options['test_url'] ?? options['url'], ''),
    error: { kind: 'request', message: message || 'request' },
  };
}

function savedFailure(record: JsonObject): Record<string, unknown> {
  const { http_method, test_url, error = '', request_method, request_url } = record;
  const call = { http_method: request_method ?? http_method ?? null, test_url: request_url ?? test_url ?? null };
  return {
    ...failureFields([call, error]),
    status_code: number(record['status_code']),
    response_time_ms: number(record['elapsed_ms']),
  };
}

/** Bytes of the body: a saved report shows them as text, a record holds them as base64. */
function contentOf({ content, status_code: status }: JsonObject): Buffer | undefined {
  if (typeof content !== 'string') return undefined;
  if (typeof status !== 'string') return Buffer.from(content, 'base64');
  return content.includes('\uFFFD') ? undefined : Buffer.from(content);
}

function payload(record: JsonObject, content: Buffer | undefined): Record<string, unknown> {
  const headers = record['headers'];
  return {
    text: typeof record['text'] === 'string' ? record['text'] : null,
    ...(isObject(headers) && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, REDACTED.has(name.toLowerCase()) ? '[REDACTED]' : value]),
      ),
    }),
    ...(content && { content_base64: content.toString('base64') }),
    request_body: record['request_body'] ?? null,
  };
}

function text(value: Json | undefined, other: string): string {
  return typeof value === 'string' && value !== '' ? value : other;
}

function number(value: Json | undefined): number | null {
  return toNumber(value) ?? null;
}

/** Seconds since 1970 of a date as text. */
function seconds(value: Json | undefined): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at / 1000;
}
