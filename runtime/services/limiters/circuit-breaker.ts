import { isNamed } from '#runtime/kernel/passing.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';

export interface BreakerSettings {
  /** Failures in a row that open it. */
  readonly failure_threshold: number;
  /** Seconds until a trial. */
  readonly recovery_timeout: number;
  /** Names of errors that count; all when null. */
  readonly retriable: readonly string[] | null;
}

export type BreakerState = 'closed' | 'open' | 'half_open';

/** One call that the breaker let through. Exactly one of these is called, once. */
export interface Passage {
  succeeded(): void;
  /** Errors of which none counts change nothing. */
  failed(...errors: readonly unknown[]): void;
  /** Notes that it was cancelled: nothing is known. */
  abandoned(): void;
}

/**
 * Stops calling what keeps failing. Closed until `failure_threshold` calls in a row have failed; then open, and nothing
 * is called for `recovery_timeout` seconds of the monotonic clock; then half open: one trial is let through, and
 * decides.
 */
export class CircuitBreaker {
  readonly name: string;
  readonly #clock: Clock;
  readonly #settings: BreakerSettings;
  #state: BreakerState = 'closed';
  #failures = 0;
  #openedAt = 0;
  #onTrial = false;
  /** Counts changes of state: how a call ended says nothing about a time after it began. */
  #period = 0;

  constructor(clock: Clock, settings: BreakerSettings & { readonly name: string }) {
    this.name = settings.name;
    this.#clock = clock;
    this.#settings = settings;
  }

  get state(): BreakerState {
    if (this.#state === 'open' && this.#waitMs() <= 0) this.#become('half_open');
    return this.#state;
  }

  reset(): void {
    this.#become('closed');
  }

  /** Lets a call through or fails with `CircuitOpenException`. */
  enter(): Passage {
    const { state } = this;
    if (state === 'open' || this.#onTrial)
      throw fail.circuitOpen({ name: this.name, seconds: Math.max(Math.ceil(this.#waitMs()) / 1000, 0) });
    this.#onTrial = state === 'half_open';
    const period = this.#period;
    const during = (work: () => void) => () => {
      if (period === this.#period) work();
    };
    return {
      succeeded: during(() => this.#succeed()),
      failed: (...errors) => during(() => this.#fail(errors))(),
      abandoned: during(() => void (this.#onTrial = false)),
    };
  }

  #succeed(): void {
    if (this.#state === 'closed') this.#failures = 0;
    else this.#become('closed');
  }

  #fail(errors: readonly unknown[]): void {
    this.#onTrial = false;
    const { retriable, failure_threshold } = this.#settings;
    if (retriable !== null && !errors.some((error) => isNamed(error, retriable))) return;
    this.#failures += 1;
    if (this.#state === 'half_open' || this.#failures >= failure_threshold) this.#become('open');
  }

  #become(state: BreakerState): void {
    this.#state = state;
    this.#period += 1;
    this.#onTrial = false;
    this.#failures = 0;
    if (state === 'open') this.#openedAt = this.#clock.monotonic();
  }

  #waitMs(): number {
    return this.#openedAt + this.#settings.recovery_timeout * 1000 - this.#clock.monotonic();
  }
}
