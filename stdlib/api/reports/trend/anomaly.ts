export const metrics = ['mean_ms', 'p50_ms', 'p95_ms', 'max_ms'] as const;
export type Metric = (typeof metrics)[number];

/** Conditions under which the latest run of an endpoint counts as slow. */
export interface Policy {
  readonly metric: Metric;
  /** Number of earlier runs that count. */
  readonly window: number;
  readonly min_history: number;
  /** Limit of the robust score; it must be above. */
  readonly threshold: number;
  /** Share of the median by which it must be slower at least. */
  readonly min_increase: number;
  readonly min_delta_ms: number;
}

export interface Verdict {
  readonly endpoint: string;
  readonly metric: Metric;
  readonly latest: number;
  readonly baseline_median: number | null;
  /** Null where the earlier runs do not differ. */
  readonly robust_z: number | null;
  /** Earlier runs that counted. */
  readonly history: number;
  readonly status: 'anomaly' | 'ok' | 'insufficient_history';
}

export const defaultPolicy: Policy = {
  metric: 'p95_ms',
  window: 20,
  min_history: 5,
  threshold: 3.5,
  min_increase: 0.2,
  min_delta_ms: 5,
};

/** Share of a time by which sums and products of numbers that a binary fraction only comes near to may be off. */
const ROUNDING = 1e-12;
/** Makes the median absolute deviation of normally distributed values comparable with their standard deviation. */
const NORMAL = 0.6745;

/** Judges the last value of an endpoint by the ones before it: only a slowdown can be an anomaly. */
export function judge(endpoint: string, values: readonly number[], policy: Policy): Verdict {
  const latest = values.at(-1) ?? 0;
  const baseline = values.slice(0, -1).slice(-policy.window);
  const base = { endpoint, metric: policy.metric, latest, history: baseline.length };
  if (baseline.length < policy.min_history)
    return { ...base, baseline_median: null, robust_z: null, status: 'insufficient_history' };
  const middle = median(baseline);
  const mad = median(baseline.map((value) => Math.abs(value - middle)));
  const score = mad === 0 ? null : (NORMAL * (latest - middle)) / mad;
  const increase = Math.max(middle * policy.min_increase, policy.min_delta_ms);
  const isSlower = latest - middle >= increase - ROUNDING * latest;
  const isAnomaly = isSlower && (score === null || score > policy.threshold);
  return { ...base, baseline_median: middle, robust_z: score, status: isAnomaly ? 'anomaly' : 'ok' };
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}
