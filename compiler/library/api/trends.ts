import { defaultPolicy, judge as judgeValues } from '#stdlib/api/reports/trend/anomaly.ts';
import type { Policy, Verdict } from '#stdlib/api/reports/trend/anomaly.ts';
import { endpointKey, endpointStats } from '#stdlib/api/reports/trend/endpoint.ts';
import type { EndpointStats } from '#stdlib/api/reports/trend/endpoint.ts';
import { sparkline as drawSparkline } from '#stdlib/api/reports/trend/page.ts';
import { percentile as percentileOf, responseMs } from '#stdlib/api/response-times.ts';
import type { RecordedRequest } from '#stdlib/api/saved-records.ts';

export type { EndpointStats, Policy, Verdict };

interface Templates {
  /** OpenAPI path templates that name the endpoints. */
  readonly templates?: readonly string[];
}

/** `VERB /template` of a record; null: it has no address. */
export function endpoint_key(record: RecordedRequest, { templates = [] }: Templates = {}): string | null {
  return endpointKey(record, templates) ?? null;
}

/** Times of each endpoint, by name. */
export function endpoint_stats(
  records: readonly RecordedRequest[],
  { templates = [] }: Templates = {},
): EndpointStats[] {
  return endpointStats(records, templates);
}

/** Judges the last value of an endpoint by the ones before it. */
export function judge(
  endpoint: string,
  values: readonly number[],
  { policy = {} }: { readonly policy?: Partial<Policy> } = {},
): Verdict {
  const full = { ...defaultPolicy, ...policy };
  if (full.min_history > full.window) throw new RangeError('min_history must not be above window');
  return judgeValues(endpoint, values, full);
}

/** The value at position ceil(pct / 100 · n) of the sorted values, counted from 1. */
export function percentile(values: readonly number[], pct: number): number {
  return percentileOf(
    values.toSorted((a, b) => a - b),
    pct,
  );
}

/** Milliseconds of a record of any form; null: it has no time. */
export function record_latency_ms(record: RecordedRequest): number | null {
  return responseMs(record) ?? null;
}

/** A small drawing of values as SVG text. */
export function sparkline(
  values: readonly number[],
  { last_colour = '#1a7f37' }: { readonly last_colour?: string } = {},
): string {
  return drawSparkline(values, last_colour).text;
}
