import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';

/** Reason why an action server was not asked, did not answer, or answered with no result. */
export type ActionClientKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'http'
  | 'network'
  | 'timeout'
  | 'invalid_response'
  | 'not_loopback';

/** Failure of a client of an action server: programs tell by `kind` what its message tells readers. */
export interface ActionClientFailure extends Failure {
  readonly kind: ActionClientKind;
  /** Status of the answer; undefined where there was none. */
  readonly status: number | undefined;
}

interface Told {
  readonly url: string;
  readonly reason: string;
  readonly status?: number;
  readonly actual?: Json;
  readonly cause?: unknown;
}

export function clientFailure(kind: ActionClientKind, { status, ...told }: Told): ActionClientFailure {
  const make = kind === 'network' || kind === 'timeout' ? fail.actionClientNetwork : fail.actionClientRefused;
  // The kind stands behind the reason, which may be a sentence.
  const reason = told.reason.replace(/\.$/, '');
  return Object.assign(make({ ...told, reason, kind }), { kind, status });
}
