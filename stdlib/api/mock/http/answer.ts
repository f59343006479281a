import type { ServerResponse } from 'node:http';

import { inText } from '#runtime/kernel/values/convert.ts';
import type { Json } from '#schemas/types/json.ts';

import type { MockAnswer } from './port.ts';

/** Sends an answer: an object or list as compact JSON, anything else as text; `headers` may say another type. */
export function sendAnswer(response: ServerResponse, answer: MockAnswer): void {
  const { status, headers, bytes } = wireForm(answer);
  response.writeHead(status, headers);
  response.end(bytes);
}

/** An answer as it goes over the wire; without bytes it has no body. */
export function wireForm({ status = 200, headers = {}, body = '', bytes: given }: MockAnswer): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly bytes?: Uint8Array;
} {
  const bytes = given ?? Buffer.from(body === null ? '' : inText(body));
  const hasBody = status !== 204 && status !== 304 && status >= 200;
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (!hasBody) return { status, headers: own };
  const type = given ? {} : { 'content-type': typeOf(body) };
  return { status, headers: { ...type, 'content-length': bytes.length, ...own }, bytes };
}

function typeOf(body: Json): string {
  return typeof body === 'object' && body !== null ? 'application/json' : 'text/plain; charset=utf-8';
}

/**
 * Whether an answer with these headers is shown as a page: what comes from the request is then escaped in templates.
 */
export function isHtml(headers: Readonly<Record<string, string>> | undefined): boolean {
  const type = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)/i.test(type);
}
