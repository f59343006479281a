import type { BreakerSettings, CircuitBreaker } from './circuit-breaker.ts';
import type { BucketSettings, TokenBucket } from './token-bucket.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly limiters: Limiters;
  }
}

/** Breakers and buckets by name, shared by all action files of a run. */
export interface Limiters {
  /** Made at the first use of its name. Fails where that was with other settings. */
  breaker(name: string, settings: BreakerSettings): CircuitBreaker;
  /** Undefined where nobody has used it. */
  knownBreaker(name: string): CircuitBreaker | undefined;
  /** The same, for buckets. */
  bucket(name: string, settings: BucketSettings): TokenBucket;
}
