import { nodeHost } from '#runtime/hosts/node.ts';
import { TokenBucket, type AcquireOptions } from '#runtime/services/limiters/token-bucket.ts';

import { above, atLeastZero } from './numbers.ts';

export type { AcquireOptions };

/** A bucket of tokens that fills steadily and is full at the start. Whoever waits is served in order. */
export class RateLimiter {
  readonly #bucket: TokenBucket;

  /** `rate`: tokens a second. `burst`: the largest number of them; the rate, and at least 1, when left out. */
  constructor(rate: number, { burst = null }: { readonly burst?: number | null } = {}) {
    this.#bucket = new TokenBucket(nodeHost().clock, {
      name: 'rate limit',
      rate: above('rate', rate),
      burst: burst === null ? null : above('burst', burst),
    });
  }

  /** The most tokens it ever holds. */
  get capacity(): number {
    return this.#bucket.capacity;
  }

  /** Whether tokens were taken at once. More than the bucket holds is false. */
  try_acquire({ tokens = 1 }: { readonly tokens?: number } = {}): boolean {
    return this.#bucket.tryTake(above('tokens', tokens));
  }

  /** Waits for tokens. Rejects with `RateLimitExceededException` as soon as it is certain that they come too late. */
  async acquire({ tokens = 1, ...options }: AcquireOptions = {}): Promise<null> {
    atLeastZero('timeout', options.timeout ?? 0);
    await this.#bucket.take({ tokens: above('tokens', tokens), ...options });
    return null;
  }

  /** Calls wait for one token each. */
  wraps<Given extends readonly unknown[], Result>(
    func: (...given: Given) => Result | Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return async (...given) => {
      await this.#bucket.take();
      return func(...given);
    };
  }
}
