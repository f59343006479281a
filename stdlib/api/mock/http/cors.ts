import type { Incoming } from './incoming.ts';
import type { MockAnswer } from './port.ts';

/** Whether a browser asks whether a page of another origin may send a request. */
export function isPreflight({ method, headers }: Incoming): boolean {
  return (
    method === 'OPTIONS' && headers['origin'] !== undefined && headers['access-control-request-method'] !== undefined
  );
}

/** Answer that lets a page send whatever it asked for. */
export function preflightAnswer({ headers }: Incoming): MockAnswer {
  const { 'access-control-request-method': method = '', 'access-control-request-headers': names } = headers;
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': method,
      ...(names === undefined ? {} : { 'access-control-allow-headers': names }),
    },
  };
}

/** An answer that a page of the origin of its request may read, with all its headers. */
export function withCors(answer: MockAnswer, { headers: { origin } }: Incoming): MockAnswer {
  if (origin === undefined) return answer;
  const headers = {
    ...answer.headers,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': Object.keys({ ...answer.headers, ...answer.wire?.headers }).join(', '),
    vary: 'origin',
  };
  return {
    ...answer,
    headers,
    ...(answer.wire ? { wire: { ...answer.wire, headers: { ...answer.wire.headers, ...headers } } } : {}),
  };
}
