import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { allSamples, latestHistories, readTrend, type Sample } from '#stdlib/api/reports/trend/database.ts';
import { defaultPolicy, judge as judgeValues, metrics } from '#stdlib/api/reports/trend/anomaly.ts';
import type { Policy, Verdict } from '#stdlib/api/reports/trend/anomaly.ts';
import { endpointKey, endpointStats } from '#stdlib/api/reports/trend/endpoint.ts';
import type { EndpointStats } from '#stdlib/api/reports/trend/endpoint.ts';
import { sparkline as drawSparkline, trendPage, trendRows } from '#stdlib/api/reports/trend/page.ts';
import { percentile as percentileOf, responseMs } from '#stdlib/api/response-times.ts';
import type { RecordedRequest } from '#stdlib/api/saved-records.ts';

import { count } from '../numbers.ts';
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

/** Judges the last value of an endpoint by the ones before it. Throws RangeError for a policy that none can follow. */
export function judge(
  endpoint: string,
  values: readonly number[],
  { policy = {} }: { readonly policy?: Partial<Policy> | null } = {},
): Verdict {
  if (values.length === 0 || !values.every(Number.isFinite))
    throw new RangeError('values must be numbers, one at least');
  return judgeValues(endpoint, values, fullPolicy(policy));
}

/** A policy with its defaults; throws RangeError for what it cannot say: a misspelt limit would be passed over. */
function fullPolicy(given: Partial<Policy> | null): Policy {
  const said = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  const unknown = said.find(([name]) => !Object.hasOwn(defaultPolicy, name));
  if (unknown) throw new RangeError(`a policy has no "${unknown[0]}"; it has ${Object.keys(defaultPolicy).join(', ')}`);
  const full: Policy = { ...defaultPolicy, ...Object.fromEntries(said) };
  if (!metrics.includes(full.metric)) throw new RangeError(`metric must be one of ${metrics.join(', ')}`);
  count('window', full.window);
  count('min_history', full.min_history);
  for (const name of ['threshold', 'min_increase', 'min_delta_ms'] as const)
    if (!(full[name] >= 0)) throw new RangeError(`${name} must not be below 0`);
  if (full.min_history > full.window) throw new RangeError('min_history must not be above window');
  return full;
}

/** The value at position ceil(pct / 100 · n) of the sorted values, counted from 1; 0 without values. */
export function percentile(values: readonly number[], pct: number): number {
  if (!(pct >= 0 && pct <= 100)) throw new RangeError('pct must lie between 0 and 100');
  return percentileOf(
    values.toSorted((a, b) => a - b),
    pct,
  );
}

/** Milliseconds of a record of any form; null: it has no time. */
export function record_latency_ms(record: RecordedRequest): number | null {
  return responseMs(record) ?? null;
}

/** A small drawing of values as SVG text, 160 by 32 units; empty without values. */
export function sparkline(
  values: readonly number[],
  { last_colour = '#0969da' }: { readonly last_colour?: string } = {},
): string {
  if (!values.every(Number.isFinite)) throw new RangeError('values must be numbers');
  return values.length === 0 ? '' : drawSparkline(values, last_colour).text;
}

/** Stored samples of each endpoint, oldest first; a missing file gives none. */
export async function endpoint_history(
  { db_path = 'svc_trend.sqlite' }: { readonly db_path?: string } = {},
  options: SessionOptions = {},
): Promise<Record<string, Sample[]>> {
  const found = await once(
    'endpoint_history',
    ['sqlite', 'files'],
    (given) => readTrend(db_path, 'trend_endpoint_samples', given, (database) => allSamples(database)),
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
  const full = fullPolicy(policy);
  const limit = count('limit_runs', limit_runs);
  return once(
    'render_trend_report',
    ['sqlite', 'files'],
    async (given) => {
      const histories = await readTrend(db_path, 'trend_endpoint_samples', given, (database) =>
        latestHistories(database, full.metric),
      );
      return trendPage(trendRows(histories ?? new Map(), full, limit), full);
    },
    options,
  );
}
