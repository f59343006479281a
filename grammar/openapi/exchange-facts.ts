import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Body, ExchangeFacts } from './check-exchange.ts';
import { stripBasePath } from './path-template.ts';

/** An exchange as it was seen on the wire; names of headers in any case. */
export interface SeenExchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string | undefined;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody?: string | undefined;
}

/** Deeper bodies are not judged. */
const DEEPEST = 128;

/** An exchange as specifications look at it; undefined: its address cannot be read. */
export function exchangeFacts(seen: SeenExchange, basePath: string): ExchangeFacts | undefined {
  const url = URL.parse(seen.url, 'http://none');
  if (!url) return undefined;
  const headers = lowered(seen.requestHeaders);
  const requestBody = bodyOf(seen.requestBody, headers['content-type']);
  const responseBody = bodyOf(seen.responseBody, lowered(seen.responseHeaders)['content-type']);
  return {
    method: seen.method.toUpperCase(),
    path: stripBasePath(url.pathname === '' ? '/' : url.pathname, basePath),
    query: [...url.searchParams],
    headers,
    status: seen.status,
    ...(requestBody ? { requestBody } : {}),
    ...(responseBody ? { responseBody } : {}),
  };
}

function lowered(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A body; its JSON where its type says that it is some, and it can be read whole. */
function bodyOf(text: string | undefined, contentType: string | undefined): Body | undefined {
  if (text === undefined || text === '') return undefined;
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  const isJson = type === undefined ? /^\s*[[{]/.test(text) : /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type);
  const json = isJson ? readJson(text) : undefined;
  return { ...(type === undefined ? {} : { type }), ...(json === undefined ? {} : { json }) };
}

function readJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isDeep(value) ? undefined : value;
  } catch {
    // A body that was cut, or is none.
    return undefined;
  }
}

function isDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((item) =>
      Array.isArray(item) ? (item as Json[]) : isObject(item) ? (Object.values(item) as Json[]) : [],
    );
  }
  return false;
}
