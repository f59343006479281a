import type { StepView } from '#runtime/kernel/step-observer.ts';
import type { Json } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';

/** A step as it was told, with what it was called with. */
export interface KeptStep {
  readonly step: StepView;
  readonly record: RunRecord;
  readonly args: Json | undefined;
}
