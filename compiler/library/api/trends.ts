import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { allSamples, latestHistories, readTrend, type Sample } from '#stdlib/api/reports/trend/database.ts';
import { defaultPolicy, judge as judgeValues } from '#stdlib/api/reports/trend/anomaly.ts';
import type { Policy, Verdict } from '#stdlib/api/reports/trend/anomaly.ts';
import { endpointKey, endpointStats } from '#stdlib/api/reports/trend/endpoint.ts';
import type { EndpointStats } from '#stdlib/api/reports/trend/endpoint.ts';
import { sparkline as drawSparkline, trendPage, trendRows } from '#stdlib/api/reports/trend/page.ts';
import { percentile as percentileOf, responseMs } from '#stdlib/api/response-times.ts';
import type { RecordedRequest } from '#stdlib/api/saved-records.ts';

import { once } from '../session.ts';

export type { EndpointStats, Policy, Sample, Verdict };

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

/** Stored samples of each endpoint, oldest first; a missing file gives none. */
export async function endpoint_history(
  { db_path = 'svc_trend.sqlite' }: { readonly db_path?: string } = {},
  options: SessionOptions = {},
): Promise<Record<string, Sample[]>> {
  const found = await once(
    'endpoint_history',
    ['sqlite', 'files'],
    (given) => readTrend(db_path, given, (database) => allSamples(database)),
    options,
  );
  return Object.fromEntries(found ?? []);
}

/** The HTML page that AT_generate_trend_report writes. */
export function render_trend_report(
  {
    db_path = 'svc_trend.sqlite',
    policy = {},
    limit_runs = 30,
  }: { readonly db_path?: string; readonly policy?: Partial<Policy> | null; readonly limit_runs?: number } = {},
  options: SessionOptions = {},
): Promise<string> {
  const full = { ...defaultPolicy, ...policy };
  if (full.min_history > full.window) throw new RangeError('min_history must not be above window');
  return once(
    'render_trend_report',
    ['sqlite', 'files'],
    async (given) => {
      const histories = await readTrend(db_path, given, (database) => latestHistories(database, full.metric));
      return trendPage(trendRows(histories ?? new Map(), full, limit_runs), full);
    },
    options,
  );
}
