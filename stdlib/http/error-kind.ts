import { Failure } from '#schemas/types/failure.ts';

import type { Ports } from '#runtime/kernel/ports.ts';

export type RequestEntry = ReturnType<Ports['requestLog']['entries']>[number];
export type Exchange = NonNullable<Parameters<Ports['requestLog']['add']>[1]>;
export type RequestErrorKind = NonNullable<RequestEntry['error']>['kind'];

const kinds: Readonly<Record<string, RequestErrorKind>> = {
  SVC83001: 'http_status',
  SVC83002: 'http_status',
  SVC83003: 'http_status',
  SVC83004: 'http_status',
  SVC83005: 'timeout',
  SVC83006: 'connection',
  SVC83007: 'connection',
  SVC83009: 'connection',
  SVC83014: 'connection',
  SVC83008: 'transport',
  SVC83012: 'transport',
  SVC83013: 'transport',
  SVC83015: 'transport',
  SVC83016: 'transport',
  SVC83017: 'transport',
  SVC83018: 'transport',
  SVC83010: 'tls',
  SVC83011: 'tls',
  SVC83035: 'tls',
  SVC83023: 'assertion',
  SVC83024: 'assertion',
  SVC83029: 'assertion',
  SVC83046: 'assertion',
};

/** Name of a failed request in the request log; undefined: nothing was sent, so there is no request to log. */
export function errorKind(error: unknown): RequestErrorKind | undefined {
  if (!(error instanceof Failure)) return 'runner_internal';
  if (error.facts.kinds.includes('timeout')) return 'timeout';
  return kinds[error.facts.code];
}
