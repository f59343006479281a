import type { Clock } from '#schemas/types/host.ts';

import { checkSize, TimeBudget } from './limits.ts';

export interface QuotaOptions {
  /** Largest size; 0 or less is no limit. */
  readonly max_bytes?: number;
  /** Longest time; 0 or less is no limit. */
  readonly max_seconds?: number;
}

/** A block of work under a time limit. */
export interface BudgetScope extends Disposable {
  /** Aborted with the failure when time is up: for the work to look at, or to pass on. */
  readonly signal: AbortSignal;
  /** Ends the block: throws `QuotaExceededException` where it took too long. The second call changes nothing. */
  end(): void;
}

type Work<Given extends readonly unknown[], Result> = (...given: Given) => Result | Promise<Result>;

/** A number, as `NaN` is none: compared with a limit it would let everything pass. */
function comparable(name: string, value: number): number {
  if (!(value <= 0 || value > 0)) throw new RangeError(`${name} must be a number`);
  return value;
}

/** A size and a time limit, which never change. */
export class QuotaGuard {
  readonly max_bytes: number;
  readonly max_seconds: number;
  readonly #clock: Clock;

  /** Throws `RangeError` for a limit that is no number. */
  constructor(clock: Clock, { max_bytes = 0, max_seconds = 0 }: QuotaOptions = {}) {
    this.#clock = clock;
    comparable('max_bytes', max_bytes);
    comparable('max_seconds', max_seconds);
    this.max_bytes = max_bytes;
    this.max_seconds = max_seconds;
    Object.freeze(this);
  }

  /** Throws `QuotaExceededException` above the limit. */
  check_size(nbytes: number, { label = 'action' }: { readonly label?: string } = {}): null {
    checkSize(comparable(`the size of ${label}`, nbytes), this.max_bytes, label);
    return null;
  }

  time_budget({ label = 'action' }: { readonly label?: string } = {}): BudgetScope {
    const budget = new TimeBudget(this.#clock, this.max_seconds, label);
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      budget.end();
      if (budget.isOver) throw budget.exceeded();
    };
    return { signal: budget.signal, end, [Symbol.dispose]: end };
  }

  /**
   * Wraps functions with both limits. A call rejects when its time is up, and what it still does is dropped; the size
   * of what it yields is looked at when it has ended. Its own error comes first.
   */
  wraps(
    label: string,
    { size_fn = null }: { readonly size_fn?: ((result: never) => number) | null } = {},
  ): <Given extends readonly unknown[], Result>(work: Work<Given, Result>) => (...given: Given) => Promise<Result> {
    return (work) =>
      async (...given) => {
        const budget = new TimeBudget(this.#clock, this.max_seconds, label);
        try {
          const result = await Promise.race([work(...given), abortOf(budget.signal)]);
          if (budget.isOver) throw budget.exceeded();
          if (size_fn) this.check_size(size_fn(result as never), { label });
          return result;
        } finally {
          budget.end();
        }
      };
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
