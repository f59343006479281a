import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';

export interface BucketSettings {
  /** Tokens added per second. */
  readonly rate: number;
  /** Largest number of tokens; null: the rate, and at least 1, so that single tokens can be had at slow rates. */
  readonly burst: number | null;
}

export interface AcquireOptions {
  /** 1 unless given; fractions are allowed. */
  readonly tokens?: number;
  /** Longest wait in seconds; 0 tries once; null waits for as long as it takes. */
  readonly timeout?: number | null;
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly tokens: number;
  readonly resolve: () => void;
}

/** Sums of fractions miss their mark by a little. */
const TINY = 1e-9;

/** Tokens that come at a steady rate, by the monotonic clock. Full at the start. Whoever waits is served in order. */
export class TokenBucket {
  readonly name: string;
  readonly capacity: number;
  readonly #clock: Clock;
  readonly #rate: number;
  readonly #waiting: Waiting[] = [];
  #level: number;
  #filledAt: number;
  #endTimer: (() => void) | undefined;

  constructor(clock: Clock, { name, rate, burst }: BucketSettings & { readonly name: string }) {
    this.name = name;
    this.capacity = burst ?? Math.max(rate, 1);
    this.#clock = clock;
    this.#rate = rate;
    this.#level = this.capacity;
    this.#filledAt = clock.monotonic();
  }

  /** Takes tokens where they are there at once and nobody waits; more than the bucket holds is false. */
  tryTake(tokens = 1): boolean {
    if (this.#waiting.length > 0 || !this.#has(tokens)) return false;
    this.#level -= tokens;
    return true;
  }

  /** Waits for tokens. Fails as soon as it is certain that they do not come in time; then nothing was taken. */
  async take({ tokens = 1, timeout = null, signal }: AcquireOptions = {}): Promise<void> {
    if (tokens > this.capacity) throw fail.tokensBeyondBucket({ name: this.name, tokens, capacity: this.capacity });
    signal?.throwIfAborted();
    if (this.tryTake(tokens)) return;
    const late = (): Error => fail.rateLimitExceeded({ name: this.name, tokens, seconds: timeout ?? 0 });
    if (timeout !== null && this.#msUntil(tokens) > timeout * 1000) throw late();
    await this.#queue(tokens, { ...(timeout !== null && { timeout }), ...(signal && { signal }), late });
  }

  #queue(
    tokens: number,
    { timeout, signal, late }: { readonly timeout?: number; readonly signal?: AbortSignal; late(): Error },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        endTimer?.();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        tokens,
        resolve: () => {
          leave();
          resolve();
        },
      };
      const giveUp = (reason: unknown): void => {
        leave();
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(reason);
        this.#serve();
      };
      const onAbort = (): void => giveUp(signal?.reason);
      const endTimer = timeout === undefined ? undefined : this.#clock.timer(timeout * 1000, () => giveUp(late()));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#serve();
    });
  }

  /** Gives to those who wait, the first first, and comes back when the next can be served. */
  #serve(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (!this.#has(first.tokens)) {
        this.#endTimer = this.#clock.timer(Math.max(Math.ceil(this.#msUntil(first.tokens)), 1), () => this.#serve());
        return;
      }
      this.#level -= first.tokens;
      this.#waiting.shift();
      first.resolve();
    }
  }

  #has(tokens: number): boolean {
    const now = this.#clock.monotonic();
    this.#level = Math.min(this.capacity, this.#level + ((now - this.#filledAt) / 1000) * this.#rate);
    this.#filledAt = now;
    return this.#level >= tokens - TINY;
  }

  /** Time (ms) until that many tokens are there, if nobody else takes some. */
  #msUntil(tokens: number): number {
    return this.#has(tokens) ? 0 : ((tokens - this.#level) / this.#rate) * 1000;
  }
}
