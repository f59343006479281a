import { deepEqual } from '#runtime/kernel/values/deep-equal.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { command, type Context } from '#stdlib/command.ts';
import { exchange, refused } from '#stdlib/http/exchange.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';
import { prepareRequest } from '#stdlib/http/prepare.ts';
import type { EncodedBody, HttpRequest, RequestParams } from '#stdlib/http/prepare.ts';
import type { HttpResult } from '#stdlib/http/result.ts';

import { valueAt } from './value-at.ts';

type Params = CommandMap['WR_http_get']['params'];
type Summary = CommandMap['WR_http_get']['result'];
type HttpContext = Context<'WR_http_get'>;

/** Characters of an answer that a failure shows. */
const SHOWN = 200;

export const WR_http_request = command(
  'WR_http_request',
  async (params, ctx) => await sent(params.method.toUpperCase(), params, ctx),
);
export const WR_http_get = command('WR_http_get', async (params, ctx) => await sent('GET', params, ctx));
export const WR_http_post = command('WR_http_post', async (params, ctx) => await sent('POST', params, ctx));
export const WR_http_put = command('WR_http_put', async (params, ctx) => await sent('PUT', params, ctx));
export const WR_http_patch = command('WR_http_patch', async (params, ctx) => await sent('PATCH', params, ctx));
export const WR_http_delete = command('WR_http_delete', async (params, ctx) => await sent('DELETE', params, ctx));

export const WR_http_assert_status = command('WR_http_assert_status', ({ expected }, ctx) => {
  const { request_method: method, request_url: url, status_code: actual, text } = lastResponse(ctx);
  const wanted = Array.isArray(expected) ? (expected as readonly (number | string)[]) : [expected as number | string];
  if (wanted.some((each) => isStatus(actual, each))) return null;
  const answer = text.trim() === '' ? 'without a text' : `"${ctx.excerpt(text.trim(), SHOWN)}"`;
  throw fail.httpStatusDiffers({ method, url, expected: wanted.join(' or '), actual, answer });
});

export const WR_http_assert_json_contains = command('WR_http_assert_json_contains', ({ key, expected }, ctx) => {
  const { request_url: url, text } = lastResponse(ctx);
  const body = bodyOf(text);
  if (!isObject(body)) throw fail.httpBodyNoObject({ url, kind: kindOf(body) });
  const actual = valueAt(body, key);
  if (actual === undefined)
    throw fail.httpFieldMissing({ url, field: key, fields: Object.keys(body).toSorted().join(', ') || 'none' });
  if (!deepEqual(actual, expected))
    throw fail.httpFieldDiffers({ url, field: key, expected: expected as Json, actual });
  return null;
});

/** Sends a request. Until its answer is there, the unit has no last response: no assertion may look at an older one. */
async function sent(method: string, params: Params, ctx: HttpContext): Promise<Summary> {
  const call = { http_method: method.toLowerCase(), test_url: params.url };
  ctx.variables.set('last_response', null, { reserved: true });
  const request = await prepared(method, params, ctx).catch((error: unknown) => {
    throw refused(error, call, ctx);
  });
  const result = await exchange(request, { protocol: 'http', keep: true, call }, ctx, () => undefined);
  return {
    status_code: result.status_code,
    headers: result.headers,
    elapsed_ms: Math.floor(result.timings_ms.first_byte),
    text: result.text,
    json: bodyOf(result.text) ?? null,
  };
}

async function prepared(method: string, params: Params, ctx: HttpContext): Promise<HttpRequest> {
  const { files, allow_redirects: follow, ...more } = params.request_kwargs ?? {};
  const { data } = params;
  return prepareRequest(
    {
      ...more,
      method,
      address: params.url,
      timeout: params.timeout,
      verify: more.verify ?? true,
      follow: follow ?? true,
      headers: params.headers,
      params: params.params,
      json: params.json_body as Json | undefined,
      ...bodyPart(data, files),
    },
    ctx,
  );
}

function bodyPart(
  data: Params['data'],
  files: Params['request_kwargs']['files'],
): Pick<RequestParams, 'data' | 'encoded' | 'files' | 'fields'> {
  if (files) return { files, fields: formFields(data) };
  if (isList(data)) return { encoded: formOf(formFields(data)) };
  return { data: data ?? null };
}

/** `Array.isArray` does not tell lists that may not be changed from objects. */
function isList(data: Params['data']): data is Extract<Params['data'], readonly unknown[]> {
  return Array.isArray(data);
}

type Pair = readonly [name: string, value: string];

/** Form fields in order: of an object by name, a list there repeats it; of a list as its pairs. */
function formFields(data: Params['data']): readonly Pair[] {
  if (data === null || data === undefined || typeof data === 'string') return [];
  if (isList(data)) return data.map(([name, value]): Pair => [String(name), String(value)]);
  return Object.entries(data).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((item): Pair => [name, String(item)]),
  );
}

function formOf(fields: readonly Pair[]): EncodedBody {
  const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString();
  return { body, type: 'application/x-www-form-urlencoded' };
}

/** Whether a status is the one that is wanted, or of its class (`2xx`). */
function isStatus(actual: number, wanted: number | string): boolean {
  return actual === wanted || (typeof wanted === 'string' && Math.floor(actual / 100) === Number(wanted[0]));
}

function lastResponse(ctx: Pick<HttpContext, 'variables'>): HttpResult {
  const last = ctx.variables.get('last_response');
  if (!isObject(last) || typeof last['status_code'] !== 'number') throw fail.httpNoResponse({});
  return last as unknown as HttpResult;
}

/** The value of a text that is JSON, whatever its media type; undefined where it is none. */
function bodyOf(text: string): Json | undefined {
  const parsed = text === '' ? { error: '' } : parseJson(text);
  return 'json' in parsed ? parsed.json : undefined;
}

function kindOf(body: Json | undefined): string {
  if (body === undefined) return 'no JSON';
  if (body === null) return 'null';
  return Array.isArray(body) ? 'a list' : `a ${typeof body}`;
}
