import { nodeHost } from '#runtime/hosts/node.ts';
import { CircuitBreaker as Breaker, type BreakerState } from '#runtime/services/limiters/circuit-breaker.ts';

import { above, count } from './numbers.ts';

export interface CircuitBreakerOptions {
  /** Failures in a row that open it. */
  readonly failure_threshold?: number;
  /** Seconds until a trial. */
  readonly recovery_timeout?: number;
  /** Names of errors that count; all when left out. */
  readonly retriable?: readonly string[] | null;
  /** For messages. */
  readonly name?: string;
}

/** Stops calling what keeps failing. While it is open, and while a trial runs, calls reject with `CircuitOpenException` and nothing is called. */
export class CircuitBreaker {
  readonly #breaker: Breaker;

  constructor({ failure_threshold = 5, recovery_timeout = 30, retriable = null, name = 'circuit' }: CircuitBreakerOptions = {}) {
    const settings = { failure_threshold: count('failure_threshold', failure_threshold), recovery_timeout: above('recovery_timeout', recovery_timeout), retriable, name };
    this.#breaker = new Breaker(nodeHost().clock, settings);
  }

  get state(): BreakerState {
    return this.#breaker.state;
  }

  /** Calls a function, and learns from how that ends. */
  async call<Given extends readonly unknown[], Result>(func: (...given: Given) => Result | Promise<Result>, args: Given = [] as unknown as Given): Promise<Result> {
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

  wraps<Given extends readonly unknown[], Result>(func: (...given: Given) => Result | Promise<Result>): (...given: Given) => Promise<Result> {
    return (...given) => this.call(func, given);
  }

  reset(): void {
    this.#breaker.reset();
  }
}
