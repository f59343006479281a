import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Clock } from '#schemas/types/host.ts';

/** Fails where a size is above a limit; 0 or less is none. */
export function checkSize(bytes: number, limit: number, label: string): void {
  if (limit > 0 && bytes > limit) throw fail.quotaExceeded({ label, actual: bytes, limit, unit: 'bytes' });
}

/** The bytes of a text in UTF-8, else of its JSON. */
export function sizeOf(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return new TextEncoder().encode(text).length;
}

/** Aborts its signal when time is up; `end` gives the timer back. */
export class TimeBudget {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #begin: number;
  readonly #limit: number;
  readonly #label: string;
  readonly #endTimer: (() => void) | undefined;

  /** `seconds`: 0 or less is no limit. */
  constructor(clock: Clock, seconds: number, label: string) {
    const controller = new AbortController();
    this.signal = controller.signal;
    this.#clock = clock;
    this.#begin = clock.monotonic();
    this.#limit = seconds;
    this.#label = label;
    this.#endTimer = seconds > 0 ? clock.timer(seconds * 1000, () => controller.abort(this.exceeded())) : undefined;
  }

  end(): void {
    this.#endTimer?.();
  }

  get isOver(): boolean {
    return this.signal.aborted || (this.#limit > 0 && this.#seconds() > this.#limit);
  }

  exceeded(common: { readonly cause?: unknown; readonly result?: unknown } = {}): Failure {
    // A timer may end a little before the clock says so; a limit is never told to be more than itself.
    const least = (Math.floor(this.#limit * 1000) + 1) / 1000;
    return fail.quotaExceeded({
      label: this.#label,
      actual: Math.max(this.#seconds(), least),
      limit: this.#limit,
      unit: 's',
      ...common,
    });
  }

  #seconds(): number {
    return Math.ceil(this.#clock.monotonic() - this.#begin) / 1000;
  }
}
