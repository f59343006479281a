import type { Evidence } from '#runtime/kernel/ports.ts';

import { bodyText } from './result.ts';
import type { HttpAnswer, HttpResult } from './result.ts';
import { shownHeaders } from './headers.ts';

const shown = 64 * 1024;

/** Evidence of an exchange: each redirect, then the last request with its answer. */
export function evidenceOf(answer: HttpAnswer, result: HttpResult): Evidence[] {
  const hops = answer.history.map(({ status, headers, request }): Evidence => ({
    kind: 'http',
    request: {
      method: request.method,
      url: request.url,
      headers: shownHeaders(request.headers),
      ...bodyPart(bodyText(request)),
    },
    response: { status, headers },
    elapsed_ms: 0,
  }));
  return [
    ...hops,
    {
      kind: 'http',
      request: {
        method: result.request_method,
        url: result.request_url,
        headers: result.request_headers,
        ...bodyPart(result.request_body),
      },
      response: { status: result.status_code, headers: result.headers, ...bodyPart(result.text) },
      elapsed_ms: result.elapsed_ms,
    },
  ];
}

export function bodyPart(body: string | null): { body?: string } {
  return body === null || body === '' ? {} : { body: body.slice(0, shown) };
}
