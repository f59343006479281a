import { readBody } from './body.ts';
import type { ExchangeFacts } from './exchange.ts';
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

/** Length (characters) from which on a shown body may have been cut. */
const SHOWN = 64 * 1024;

/** An exchange as specifications look at it; undefined: its address cannot be read. */
export function exchangeFacts(seen: SeenExchange, basePath: string): ExchangeFacts | undefined {
  const url = URL.parse(seen.url, 'http://none');
  if (!url) return undefined;
  const headers = lowered(seen.requestHeaders);
  const responseHeaders = lowered(seen.responseHeaders);
  const body = (text = '', type: string | undefined): ReturnType<typeof readBody> =>
    readBody(text, type, text.length >= SHOWN);
  const requestBody = body(seen.requestBody, headers['content-type']);
  const responseBody = body(seen.responseBody, responseHeaders['content-type']);
  return {
    method: seen.method.toUpperCase(),
    path: stripBasePath(url.pathname === '' ? '/' : url.pathname, basePath),
    query: [...url.searchParams],
    headers,
    status: seen.status,
    responseHeaders,
    ...(requestBody ? { requestBody } : {}),
    ...(responseBody ? { responseBody } : {}),
  };
}

function lowered(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
