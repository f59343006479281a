import type { Body, ExchangeFacts } from '#grammar/openapi/check-exchange.ts';
import { stripBasePath } from '#grammar/openapi/path-template.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import type { RecordedRequest } from '../saved-records.ts';

/** A recorded request as specifications and contracts look at it; undefined: it has no address or no status. */
export function recordFacts(record: RecordedRequest, basePath = ''): ExchangeFacts | undefined {
  const address = record['request_url'];
  const url = typeof address === 'string' ? URL.parse(address, 'http://none') : null;
  const status = Number(record['status_code']);
  if (!url || !Number.isInteger(status) || status < 100) return undefined;
  const requestBody = readBody(record['request_body'], contentType(record['request_headers']));
  const responseBody = readBody(record['text'], contentType(record['headers']));
  return {
    method: typeof record['request_method'] === 'string' ? record['request_method'].toUpperCase() : 'GET',
    path: stripBasePath(url.pathname === '' ? '/' : url.pathname, basePath),
    query: [...url.searchParams],
    ...headersPart(record['request_headers']),
    status,
    ...(requestBody ? { requestBody } : {}),
    ...(responseBody ? { responseBody } : {}),
  };
}

/** Names in lower case, where they are known. */
function headersPart(headers: Json | undefined): Pick<ExchangeFacts, 'headers'> {
  if (!isObject(headers ?? null)) return {};
  return {
    headers: Object.fromEntries(
      Object.entries(headers as object).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
  };
}

/** The media type without parameters, in lower case; undefined: unknown. */
export function contentType(headers: Json | undefined): string | undefined {
  if (!isObject(headers ?? null)) return undefined;
  const [, value] = Object.entries(headers as object).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  if (typeof value !== 'string') return undefined;
  return value.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * A body of a record: JSON where its type says so; without a type, where it is an object or a list. Undefined: it is
 * empty.
 */
function readBody(body: Json | undefined, type: string | undefined): Body | undefined {
  if (body === undefined || body === null || body === '') return undefined;
  if (typeof body !== 'string') return { ...(type === undefined ? {} : { type }), json: body };
  const isJson = type === undefined ? /^\s*[[{]/.test(body) : /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type);
  const parsed = isJson ? parseJson(body) : undefined;
  return { ...(type === undefined ? {} : { type }), ...(parsed && 'json' in parsed ? { json: parsed.json } : {}) };
}
