import type { BlockStep } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';

export interface StepResult {
  readonly index: number;
  readonly id: string;
  readonly command: string;
  readonly status: 'ok' | 'failed' | 'skipped' | 'dry_run';
  readonly result?: Json;
  readonly error?: { readonly name: string; readonly message: string };
  readonly reason?: string;
}

export interface TimedStepResult extends StepResult {
  readonly duration_ms?: number;
}

const shown = { passed: 'ok', failed: 'failed', skipped: 'skipped', 'dry-run': 'dry_run' } as const;

/** Result of each step of a list, in its order. */
export function stepResults(steps: readonly BlockStep[]): StepResult[] {
  return steps.map(({ id, command: name, status, result, error, reason }, index) => ({
    index,
    id,
    command: name,
    status: shown[status],
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error: { name: error.name, message: error.message } }),
    ...(reason === undefined ? {} : { reason }),
  }));
}

/** The same, with the time that each step took. */
export function timedStepResults(steps: readonly BlockStep[]): TimedStepResult[] {
  return stepResults(steps).map((told, index) => {
    const duration_ms = steps[index]?.duration_ms;
    return duration_ms === undefined ? told : { ...told, duration_ms };
  });
}
