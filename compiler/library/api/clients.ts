import { callIn, type CallParameters } from '#compiler/engine/call.ts';
import { sessionObservers } from '#compiler/engine/observed.ts';
import { openUnit, type Given, type OpenUnit, type SessionOptions } from '#compiler/engine/unit-session.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isList, isObject } from '#schemas/types/json.ts';
import { equalJson } from '#stdlib/api/equal-json.ts';
import { measuredFields } from '#stdlib/api/run-records/make-record.ts';
import { readEvents, type SentEvent } from '#stdlib/api/core/request/read-events.ts';
import { resolveAddress } from '#stdlib/http/address.ts';
import { readHeaders } from '#stdlib/http/headers.ts';

import { lazily } from '../lazily.ts';
import { above, count } from '../numbers.ts';
import { withNames } from './dns.ts';
import { capture, get_run_context } from './records.ts';

type Sending = 'AT_test_api_method_httpx' | 'AT_test_api_method_websocket' | 'AT_test_api_method_graphql';
type Options<Name extends Sending, Own extends string> = Omit<CallParameters<Name>, Own>;

/** An answer, as object and as the fields that reports show: both are the same here. */
export interface Answered<Result> {
  readonly response: Result;
  readonly response_data: Result;
}

/** One HTTP request. Within a run context its record is kept; rejects where it fails or a check does not hold. */
export async function test_api_method_httpx_async(
  http_method: CallParameters<'AT_test_api_method_httpx'>['http_method'],
  test_url: string,
  given: Options<'AT_test_api_method_httpx', 'http_method' | 'test_url'> = {},
  options: SessionOptions = {},
): Promise<Answered<CommandMap['AT_test_api_method_httpx']['result']>> {
  const response = await sent('AT_test_api_method_httpx', { ...given, http_method, test_url }, options);
  return { response, response_data: response };
}

/** One exchange over a WebSocket. */
export function test_api_method_websocket_async(
  url: string,
  given: Options<'AT_test_api_method_websocket', 'url'> = {},
  options: SessionOptions = {},
): Promise<CommandMap['AT_test_api_method_websocket']['result']> {
  return sent('AT_test_api_method_websocket', { ...given, url }, options);
}

/** One GraphQL request. */
export async function test_api_method_graphql_async(
  url: string,
  query: string,
  given: Options<'AT_test_api_method_graphql', 'url' | 'query'> = {},
  options: SessionOptions = {},
): Promise<Answered<CommandMap['AT_test_api_method_graphql']['result']>> {
  const response = await sent('AT_test_api_method_graphql', { ...given, url, query }, options);
  return { response, response_data: response };
}

async function sent<Name extends Sending>(
  name: Name,
  given: CallParameters<Name>,
  options: SessionOptions,
): Promise<CommandMap[Name]['result']> {
  const context = get_run_context();
  await using unit = await openUnit({
    ...withNames(options),
    unit: { source: 'library' },
    observers: sessionObservers(),
  });
  if (context === null) return await callIn(unit, name, given);
  const about = given as Readonly<Record<string, unknown>>;
  const checks = isObject(about['result_check_dict']) ? about['result_check_dict'] : {};
  try {
    const result = await callIn(unit, name, given);
    const assertions = Object.keys(checks).map((type) => ({ type, passed: true }));
    if (about['record_request_info'] !== false) await kept(unit, assertions);
    return result;
  } catch (error) {
    await kept(unit, error instanceof Failure ? failedChecks(checks, error) : []);
    throw error;
  }
}

/** Adds what the unit has requested to the run context. */
async function kept(unit: OpenUnit, assertions: readonly JsonObject[]): Promise<void> {
  const context = get_run_context();
  if (context === null) return;
  const entries = await unit.within('records', ['requestLog'], ({ requestLog }) => requestLog.entries());
  for (const entry of entries) await capture(context, measuredFields(entry, assertions));
}

/**
 * Checks in the order in which they stand, up to the first that failed; none where the request failed for another
 * reason.
 */
function failedChecks(checks: JsonObject, { facts, options }: Failure): readonly JsonObject[] {
  const expected = options.expected ?? null;
  if (!isObject(expected)) return [];
  const names = Object.keys(checks);
  const actual = isObject(options.actual) ? options.actual : {};
  const differing = new Set([...Object.keys(expected), ...Object.keys(actual)].map(fieldName));
  const first = names.findIndex((name) => differing.has(name));
  if (first < 0) return [];
  return names
    .slice(0, first + 1)
    .map((type, index) => (index < first ? { type, passed: true } : { type, passed: false, message: facts.message }));
}

/** The field that a path such as `json.items[0]` leads into. */
function fieldName(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

/** Events of a stream, one by one; the connection is closed when the reader stops. Nothing is recorded. */
export function iter_sse_events(
  url: string,
  {
    max_events = 50,
    timeout = 30,
    headers = null,
  }: {
    readonly max_events?: number;
    /** Seconds for connecting, and of silence. */
    readonly timeout?: number;
    readonly headers?: Readonly<Record<string, string>> | null;
  } = {},
  options: SessionOptions = {},
): AsyncGenerator<SentEvent, void> {
  const wanted = { max_events: count('max_events', max_events), timeout: above('timeout', timeout), headers };
  return lazily(
    'iter_sse_events',
    ['http', 'eventStream'],
    (given) => firstEvents(url, wanted, given),
    withNames(options),
  );
}

async function* firstEvents(
  url: string,
  {
    max_events,
    timeout,
    headers,
  }: {
    readonly max_events: number;
    readonly timeout: number;
    readonly headers: Readonly<Record<string, string>> | null;
  },
  given: Given<'http' | 'eventStream'>,
): AsyncGenerator<SentEvent, void> {
  const { url: address, login } = resolveAddress(url, undefined);
  const sent = {
    'user-agent': 'svc',
    accept: 'text/event-stream',
    'cache-control': 'no-store',
    ...(login && { authorization: `Basic ${Buffer.from(login.join(':')).toString('base64')}` }),
    ...readHeaders(headers),
  };
  const request = { url: address, headers: sent, idleMs: timeout * 1000, leftMs: Number.MAX_SAFE_INTEGER };
  let left = max_events;
  for await (const event of readEvents(request, { lastId: '', retryMs: 0 }, given)) {
    yield event;
    if (--left <= 0) return;
  }
}

/**
 * Compares recorded fields with expected ones; throws APIAssertException at the first that differs. A missing field
 * counts as null.
 */
export function check_result(result_dict: JsonObject, result_check_dict: JsonObject): void {
  for (const [name, expected] of Object.entries(result_check_dict)) {
    const actual = (Object.hasOwn(result_dict, name) ? result_dict[name] : null) ?? null;
    if (!equalJson(actual, expected ?? null))
      throw fail.resultField({
        field: name,
        expected: JSON.stringify(expected ?? null),
        actual: JSON.stringify(actual),
      });
  }
}

/** One request action: an object or a list as body becomes `json`, any other `data`; empty headers are left out. */
export function build_request_action(
  http_method: string,
  test_url: string,
  {
    headers = null,
    body = null,
    options = null,
  }: {
    readonly headers?: Readonly<Record<string, string>> | null;
    readonly body?: Json;
    readonly options?: JsonObject | null;
  } = {},
): ['AT_test_api_method', JsonObject] {
  const structured = isObject(body) || isList(body);
  return [
    'AT_test_api_method',
    {
      http_method: http_method.toLowerCase(),
      test_url,
      ...(headers !== null && Object.keys(headers).length > 0 && { headers }),
      ...(body !== null &&
        (structured ? { json: body } : { data: typeof body === 'string' ? body : JSON.stringify(body) })),
      ...options,
    },
  ];
}

/** Certificate, proxies and trust that several requests share. */
export interface ConnectionOptions {
  readonly cert?: string | readonly [certificate: string, key: string] | null;
  readonly proxies?: Readonly<Record<string, string>> | null;
  readonly verify?: boolean | string;
}

/**
 * A copy of the options of a call with those of the connection: `cert` and `proxies` win over the call, `verify` fills
 * a gap.
 */
export function apply_to_requests_kwargs(options: ConnectionOptions, kwargs: JsonObject): JsonObject {
  const { cert, proxies, verify } = options;
  return {
    ...(verify !== undefined && { verify }),
    ...kwargs,
    ...(cert && { cert: typeof cert === 'string' ? cert : [...cert] }),
    ...(proxies && { proxies }),
  };
}

/** The same for the second client. */
export function apply_to_httpx_kwargs(options: ConnectionOptions, kwargs: JsonObject): JsonObject {
  return apply_to_requests_kwargs(options, kwargs);
}
