import type { CommandFacts } from '#schemas/types/command.ts';
import type { Failure } from '#schemas/types/failure.ts';

/** Takes part in the steps of its unit from the moment on at which it is given. Neither may throw or reject. */
export interface StepHooks {
  /**
   * Milliseconds until a step that failed is tried again, after so many attempts; undefined: it has failed. Not asked
   * about steps with a `retry` of their own, of lists that another command guards, or whose own steps failed.
   */
  again?(failure: Failure, attempts: number, step: HookedStep): number | undefined;
  /** The failure as it is told; asked once, after the last attempt, but for a step whose own steps failed. */
  failed?(failure: Failure, step: HookedStep): Promise<Failure>;
}

export interface HookedStep {
  readonly command: string;
  readonly facts: CommandFacts;
}
