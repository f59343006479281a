import type { LoadResult } from '#schemas/types/load.ts';
import { counted } from '#grammar/source/counted.ts';
import { limitPercent, percent } from '#grammar/source/percent.ts';

export interface Thresholds {
  readonly max_failure_rate?: number | null | undefined;
  readonly max_p95_ms?: number | null | undefined;
  readonly max_p99_ms?: number | null | undefined;
  readonly min_requests_per_second?: number | null | undefined;
  readonly min_requests?: number | undefined;
}

/** Reasons why a result does not hold; empty: it does. Equal to a limit is fine. */
export function judge({ totals, latency_overall: latency }: LoadResult, given: Thresholds | null): readonly string[] {
  const {
    max_failure_rate: rate,
    max_p95_ms: p95,
    max_p99_ms: p99,
    min_requests_per_second: least,
    min_requests = 1,
  } = given ?? {};
  const problems: string[] = [];
  if (totals.requests < min_requests)
    problems.push(`${counted(totals.requests, 'request')} ran, at least ${min_requests} must`);
  if (typeof rate === 'number' && isBeyond(totals.failure_rate, rate))
    problems.push(
      `the failure rate is ${percent(totals.failure_rate, 2, rate)}, at most ${limitPercent(rate)} is allowed`,
    );
  if (isBeyond(latency.p95_ms, p95))
    problems.push(`the 95th percentile is ${latency.p95_ms} ms, at most ${p95} ms is allowed`);
  if (isBeyond(latency.p99_ms, p99))
    problems.push(`the 99th percentile is ${latency.p99_ms} ms, at most ${p99} ms is allowed`);
  if (typeof least === 'number' && totals.requests_per_second < least)
    problems.push(`${totals.requests_per_second} requests a second ran, at least ${least} must`);
  return problems;
}

function isBeyond(value: number, limit: number | null | undefined): boolean {
  return typeof limit === 'number' && value > limit;
}
