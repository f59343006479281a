import { Failure } from '#schemas/types/failure.ts';

import type { Ports } from '#runtime/kernel/ports.ts';

export type RequestEntry = ReturnType<Ports['requestLog']['entries']>[number];
export type RequestErrorKind = NonNullable<RequestEntry['error']>['kind'];

const kinds: Readonly<Record<string, RequestErrorKind>> = {
  SVC8301: 'http_status', SVC8302: 'http_status', SVC8303: 'http_status', SVC8304: 'http_status',
  SVC8305: 'timeout',
  SVC8306: 'connection', SVC8307: 'connection', SVC8309: 'connection', SVC8314: 'connection',
  SVC8308: 'transport', SVC8312: 'transport', SVC8313: 'transport', SVC8315: 'transport', SVC8316: 'transport', SVC8317: 'transport', SVC8318: 'transport',
  SVC8310: 'tls', SVC8311: 'tls',
  SVC8323: 'assertion', SVC8324: 'assertion', SVC8329: 'assertion',
};

/** How the request log names a failed request; undefined: nothing was sent, so there is no request to log. */
export function errorKind(error: unknown): RequestErrorKind | undefined {
  if (!(error instanceof Failure)) return 'runner_internal';
  if (error.facts.kinds.includes('timeout')) return 'timeout';
  return kinds[error.facts.code];
}
