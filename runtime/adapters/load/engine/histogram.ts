import type { Latency, LoadHistogram } from '#schemas/types/load.ts';

/**
 * Values below are counted one by one; above, each power of two has this many buckets, which is three significant
 * digits.
 */
const EXACT = 2048;
const HALF = EXACT / 2;

/** Counts of whole microseconds, with an error below 0.1 % and a size that does not grow with their number. */
export class Histogram {
  readonly #counts = new Map<number, number>();
  #count = 0;
  #sum = 0;
  #min = Infinity;
  #max = 0;

  static of(stored: LoadHistogram): Histogram {
    return new Histogram().add(stored);
  }

  record(microseconds: number): void {
    const value = Math.max(0, Math.round(microseconds));
    const bucket = bucketOf(value);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#count++;
    this.#sum += value;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  /** Takes the counts of another one in; nothing is lost. */
  add(other: LoadHistogram): this {
    for (const [bucket, count] of other.buckets) this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#count += other.count;
    this.#sum += other.sum;
    if (other.count > 0) {
      this.#min = Math.min(this.#min, other.min);
      this.#max = Math.max(this.#max, other.max);
    }
    return this;
  }

  get count(): number {
    return this.#count;
  }

  /** The value that this share of all values does not exceed, in microseconds: nearest rank. 0 where there are none. */
  quantile(share: number, sorted = this.#sorted()): number {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (const [bucket, count] of sorted) {
      seen += count;
      if (seen >= rank) return Math.min(Math.max(highestOf(bucket), this.#min), this.#max);
    }
    return 0;
  }

  latency(): Latency {
    const ms = (microseconds: number): number => Math.round(microseconds) / 1000;
    const isEmpty = this.#count === 0;
    const sorted = this.#sorted();
    const at = (share: number): number => ms(this.quantile(share, sorted));
    return {
      min_ms: isEmpty ? 0 : ms(this.#min),
      mean_ms: isEmpty ? 0 : ms(this.#sum / this.#count),
      p50_ms: at(0.5),
      p90_ms: at(0.9),
      p95_ms: at(0.95),
      p99_ms: at(0.99),
      p999_ms: at(0.999),
      max_ms: ms(this.#max),
    };
  }

  store(): LoadHistogram {
    return {
      unit: 'us',
      digits: 3,
      count: this.#count,
      sum: this.#sum,
      min: this.#count === 0 ? 0 : this.#min,
      max: this.#max,
      buckets: this.#sorted(),
    };
  }

  #sorted(): (readonly [number, number])[] {
    return [...this.#counts].sort(([a], [b]) => a - b);
  }
}

function bucketOf(value: number): number {
  if (value < EXACT) return value;
  const shift = Math.floor(Math.log2(value)) - 10;
  return EXACT + (shift - 1) * HALF + (Math.floor(value / 2 ** shift) - HALF);
}

/** The largest value that a bucket holds. */
function highestOf(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const shift = Math.floor((bucket - EXACT) / HALF) + 1;
  const within = ((bucket - EXACT) % HALF) + HALF;
  return (within + 1) * 2 ** shift - 1;
}
