import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { ServerResponse } from 'node:http';

import { inText } from '#runtime/kernel/values/convert.ts';
import type { Json } from '#schemas/types/json.ts';

import type { MockAnswer, WireForm } from './port.ts';

/** Sends an answer: an object or list as compact JSON, anything else as text; `headers` may say another type. */
export function sendAnswer(response: ServerResponse, answer: MockAnswer): void {
  const { status, headers, content } = answer.wire ?? wireForm(answer);
  response.writeHead(status, headers);
  response.end(content);
}

/** Mistake of a status or a header that HTTP cannot carry: its connection would be cut without a word. */
export function unsendable({ status = 200, headers }: MockAnswer): Error | undefined {
  if (!(Number.isInteger(status) && status >= 200 && status <= 999))
    return new RangeError(`${status} is no status of an answer`);
  try {
    for (const name in headers) {
      validateHeaderName(name);
      validateHeaderValue(name, headers[name] ?? '');
    }
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** An answer that is the same for every request, with its form on the wire. */
export function prepared(answer: MockAnswer): MockAnswer {
  return { ...answer, wire: wireForm(answer) };
}

/** An answer as it goes over the wire; without content it has no body. */
export function wireForm({ status = 200, headers = {}, set_cookies, body = '', bytes }: MockAnswer): WireForm {
  const own: Record<string, string | string[]> = {};
  let isPlain = true;
  for (const [name, value] of Object.entries(headers)) {
    own[name.toLowerCase()] = value;
    isPlain &&= !/[^ -~]/.test(value);
  }
  if (set_cookies) own['set-cookie'] = [...set_cookies];
  if (status === 204 || status === 304 || status < 200) return { status, headers: own };
  if (bytes) return { status, headers: { 'content-length': bytes.length, ...own }, content: bytes };
  const text = body === null ? '' : inText(body);
  const all = { 'content-type': typeOf(body), 'content-length': Buffer.byteLength(text), ...own };
  // A text leaves with the head in one write, whose encoding is then that of the text: headers must not depend on it.
  return { status, headers: all, content: isPlain ? text : Buffer.from(text) };
}

/** The content of an answer as bytes. */
export function bytesOf(content: Uint8Array | string | undefined): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : (content ?? new Uint8Array());
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
