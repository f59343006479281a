import type { BlockOutcome } from '#runtime/kernel/ports.ts';
import type { Clock } from '#schemas/types/host.ts';
import { stepResults, type StepResult } from '#stdlib/files/step-results.ts';

import { localTime } from './local-time.ts';

/** End of a list's run in the background, as services remember it. */
export interface LastRun {
  readonly at: number;
  readonly outcome?: BlockOutcome;
  readonly error?: string;
}

export interface LastResult {
  ok: boolean;
  ended_at: string;
  error?: string;
  results: Record<string, StepResult>;
}

/** Result of the last run, as snapshots of jobs show it. */
export function lastResult(last: LastRun | undefined, clock: Clock): LastResult | null {
  if (!last) return null;
  const { at, outcome, error } = last;
  return {
    ok: error === undefined,
    ended_at: localTime(at, clock.offset(at)),
    ...(error !== undefined && { error }),
    results: outcome ? stepResults(outcome) : {},
  };
}
