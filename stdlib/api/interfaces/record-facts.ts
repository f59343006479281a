import { plainType, readBody, type Body } from '#grammar/openapi/body.ts';
import type { ExchangeFacts } from '#grammar/openapi/exchange.ts';
import { stripBasePath } from '#grammar/openapi/path-template.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

import type { RecordedRequest } from '../saved-records.ts';

/** A recorded request as specifications and contracts look at it; undefined: it has no address or no status. */
export function recordFacts(record: RecordedRequest, basePath = ''): ExchangeFacts | undefined {
  const address = record['request_url'];
  const url = typeof address === 'string' ? URL.parse(address, 'http://none') : null;
  const status = Number(record['status_code']);
  if (!url || !Number.isInteger(status) || status < 100) return undefined;
  const requestBody = bodyOf(record['request_body'], record['request_headers']);
  const responseBody = bodyOf(record['text'], record['headers']);
  return {
    method: typeof record['request_method'] === 'string' ? record['request_method'].toUpperCase() : 'GET',
    path: stripBasePath(url.pathname === '' ? '/' : url.pathname, basePath),
    query: [...url.searchParams],
    ...headersPart('headers', record['request_headers']),
    ...headersPart('responseHeaders', record['headers']),
    status,
    ...(requestBody ? { requestBody } : {}),
    ...(responseBody ? { responseBody } : {}),
  };
}

/** Names in lower case, where they are known. */
function headersPart(
  name: 'headers' | 'responseHeaders',
  headers: Json | undefined,
): Pick<ExchangeFacts, 'headers' | 'responseHeaders'> {
  if (!isObject(headers)) return {};
  return {
    [name]: Object.fromEntries(
      Object.entries(headers as object).map(([given, value]) => [given.toLowerCase(), String(value)]),
    ),
  };
}

/** The media type without parameters, in lower case; undefined: unknown. */
export function contentType(headers: Json | undefined): string | undefined {
  const value = contentTypeText(headers);
  return value === undefined ? undefined : plainType(value);
}

/** The media type as it was sent, with its parameters; undefined: unknown. */
export function contentTypeText(headers: Json | undefined): string | undefined {
  if (!isObject(headers)) return undefined;
  const [, value] = Object.entries(headers as object).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return typeof value === 'string' ? value : undefined;
}

/** A body of a record, as text or read already. Undefined: it is empty. */
function bodyOf(body: Json | undefined, headers: Json | undefined): Body | undefined {
  if (body === undefined || body === null || body === '') return undefined;
  const type = contentTypeText(headers);
  if (typeof body === 'string') return readBody(body, type);
  return { ...(type === undefined ? {} : { type: plainType(type), contentType: type }), json: body };
}
