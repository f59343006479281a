import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { isObject } from '#schemas/types/json.ts';

/** Failure of an upload in parts that the service does not know any more: sending may begin anew. */
export function forgotten(place: string, reason: string): Failure {
  return fail.storageUnavailable({ place, reason, result: { forgotten: true } });
}

export function isForgotten(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  const { result } = error.options;
  return isObject(result) && result['forgotten'] === true;
}
