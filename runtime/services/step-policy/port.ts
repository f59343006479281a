declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly stepPolicy: StepPolicy;
  }
}

/** Decisions about the later steps of a unit, each until the next one of its kind. */
export interface StepPolicy {
  /**
   * Extra attempts of a failing step, 0 for none, and the wait (s) after the first of them; after the k-th it is k
   * times as long.
   */
  retry(retries: number, backoffSeconds: number): void;
  /** Called with the command of each step; null: nothing is called any more. */
  wrap(factory: ScopeFactory | null): void;
  /** The folder that gets a picture of each step that fails; made where it is missing. null: none. */
  pictures(folder: string | null): Promise<void>;
}

/**
 * Yields what is entered before the step and left after it, once for all attempts: an object with `enter()` and
 * `leave(outcome)`, either of them optional, something disposable, a function that is called with the outcome, or
 * nothing.
 */
export type ScopeFactory = (command: string) => unknown;

/** End of a step, as its record tells it: secrets are hidden. */
export interface StepOutcome {
  readonly status: 'passed' | 'failed';
  readonly attempts: number;
  readonly duration_ms: number;
  /** Result of the step; absent where it failed. */
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string };
}
