import { nodeHost } from '#runtime/hosts/node.ts';
import { CircuitBreaker as Breaker, type BreakerState } from '#runtime/services/limiters/circuit-breaker.ts';

import { above, count } from './numbers.ts';

/** Conditions under which a breaker opens, and for how long. */
export interface CircuitBreakerOptions {
  /** Failures in a row that open it. */
  readonly failure_threshold?: number;
  /** Seconds until a trial. */
  readonly recovery_timeout?: number;
  /** Names of errors that count; all when left out. */
  readonly retriable?: readonly string[] | null;
  /** Name for messages. */
  readonly name?: string;
}

/**
 * Stops calling what keeps failing. While it is open, and while a trial runs, calls reject with `CircuitOpenException`
 * and nothing is called.
 */
export class CircuitBreaker {
  readonly #breaker: Breaker;

  /** Throws `RangeError` for a threshold below 1 and for a time of 0 or less. */
  constructor({
    failure_threshold = 5,
    recovery_timeout = 30,
    retriable = null,
    name = 'circuit',
  }: CircuitBreakerOptions = {}) {
    const settings = {
      failure_threshold: count('failure_threshold', failure_threshold),
      recovery_timeout: above('recovery_timeout', recovery_timeout),
      retriable,
      name,
    };
    this.#breaker = new Breaker(nodeHost().clock, settings);
  }

  /** `half_open`: the next call is a trial, which decides. */
  get state(): BreakerState {
    return this.#breaker.state;
  }

  /** Calls a function, and learns from how that ends. */
  async call<Given extends readonly unknown[], Result>(
    func: (...given: Given) => Result | Promise<Result>,
    args: Given = [] as unknown as Given,
  ): Promise<Result> {
    const passage = this.#breaker.enter();
    try {
      const result = await func(...args);
      passage.succeeded();
      return result;
    } catch (error) {
      passage.failed(error);
      throw error;
    }
  }

  /** The function, with each call going through the breaker. */
  wraps<Given extends readonly unknown[], Result>(
    func: (...given: Given) => Result | Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return (...given) => this.call(func, given);
  }

  /** Closes it, and forgets its failures. */
  reset(): void {
    this.#breaker.reset();
  }
}
