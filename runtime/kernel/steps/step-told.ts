import type { Node } from '#schemas/types/plan.ts';

import type { StepEnd } from '../contract.ts';
import type { BlockStep } from '../ports.ts';
import type { Masker } from '../records/masker.ts';
import { toJson } from '../records/recordable.ts';
import { recordedError } from '../records/recorded-error.ts';

/** The end of a step as whoever ran its list is told of it. A step without an end was skipped. */
export function stepTold({ command }: Node, end: StepEnd | undefined, masker: Masker): Omit<BlockStep, 'id'> {
  const { status = 'skipped', failure, failedWith, result = failedWith, reason, duration_ms } = end ?? {};
  return {
    command,
    status,
    ...(result !== undefined && { result: toJson(result) }),
    ...(failure && { error: recordedError(failure, masker), failure }),
    ...(reason !== undefined && { reason }),
    ...(duration_ms !== undefined && { duration_ms }),
  };
}
