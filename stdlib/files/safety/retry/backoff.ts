import { isNamed, isPassing, retryAfterMs } from '#runtime/kernel/passing.ts';
import type { Clock, Random } from '#schemas/types/host.ts';

export interface BackoffOptions {
  /** Tries in total. */
  readonly max_attempts?: number;
  /** First wait in seconds. */
  readonly backoff_base?: number;
  /** Longest wait in seconds. */
  readonly backoff_cap?: number;
  /** Names of errors that are tried again; those that may pass by themselves when left out. */
  readonly retriable?: readonly string[] | null;
}

/**
 * Greatest part by which a wait may be longer than the formula says, so that many who failed together do not
 * come back together.
 */
const SPREAD = 0.2;
/** A wait that was doubled so often is beyond every cap; without an end it would be no number in time. */
const MOST_DOUBLINGS = 64;
/** A server that asks to come back later than this is not waited for. */
const LONGEST_ASKED_MS = 3_600_000;

/** The tries of one guarded piece of work. */
export class Backoff {
  readonly #options: Required<BackoffOptions>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Random;
  #failures = 0;
  /** The failure behind which no try was left; undefined: none yet. */
  exhausted: unknown;

  constructor(
    { max_attempts = 3, backoff_base = 0.5, backoff_cap = 8, retriable = null }: BackoffOptions,
    { clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random },
  ) {
    this.#options = { max_attempts, backoff_base, backoff_cap, retriable };
    this.#clock = clock;
    this.#random = random;
  }

  /** Number of tries, at least 1. */
  get attempts(): number {
    return Math.max(this.#failures, 1);
  }

  /** Milliseconds until the next try behind this failure; undefined: it is not tried again. */
  wait(failure: unknown): number | undefined {
    const { retriable, max_attempts } = this.#options;
    if (!(retriable === null ? isPassing(failure) : isNamed(failure, retriable))) return undefined;
    const asked = retryAfterMs(failure, this.#clock.now()) ?? 0;
    this.#failures = Math.min(this.#failures + 1, max_attempts);
    if (this.#failures < max_attempts && asked <= LONGEST_ASKED_MS) return Math.max(this.#own(), asked);
    this.exhausted ??= failure;
    return undefined;
  }

  #own(): number {
    const { backoff_base, backoff_cap } = this.#options;
    return (
      Math.min(backoff_cap, backoff_base * 2 ** Math.min(this.#failures - 1, MOST_DOUBLINGS)) *
      1000 *
      (1 + SPREAD * this.#random.number())
    );
  }
}
