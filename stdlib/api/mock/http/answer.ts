import type { ServerResponse } from 'node:http';

import { inText } from '#runtime/kernel/values/convert.ts';
import type { Json } from '#schemas/types/json.ts';

import type { MockAnswer } from './port.ts';

/** Sends an answer: an object or list as compact JSON, anything else as text; `headers` may say another type. */
export function sendAnswer(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', bytes: given }: MockAnswer,
): void {
  const bytes = given ?? Buffer.from(body === null ? '' : inText(body));
  const hasBody = status !== 204 && status !== 304 && status >= 200;
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  response.writeHead(status, {
    ...(hasBody ? { ...(given ? {} : { 'content-type': typeOf(body) }), 'content-length': bytes.length } : {}),
    ...own,
  });
  response.end(hasBody ? bytes : undefined);
}

function typeOf(body: Json): string {
  return typeof body === 'object' && body !== null ? 'application/json' : 'text/plain; charset=utf-8';
}

/** Whether an answer with these headers is shown as a page: what comes from the request is then escaped in templates. */
export function isHtml(headers: Readonly<Record<string, string>> | undefined): boolean {
  const type = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)/i.test(type);
}
