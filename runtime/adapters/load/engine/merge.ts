import type { LoadEndpoint, LoadHistogram, LoadResult, LoadSecond } from '#schemas/types/load.ts';

import { Histogram } from './histogram.ts';
import { counts } from './totals.ts';

/**
 * One result of several that ran at the same time, on one machine or many: counts are added, percentiles are those of
 * all values.
 */
export function mergeLoads(results: readonly LoadResult[]): LoadResult {
  const seconds = Math.max(...results.map((result) => result.seconds), 0.001);
  const sum = (read: (result: LoadResult) => number): number => results.reduce((all, one) => all + read(one), 0);
  const histogram = merged(results.map((result) => result.histogram));
  const service = merged(results.map((result) => result.service_histogram));
  return {
    version: 1,
    started_at: results.map(({ started_at }) => started_at).toSorted()[0] ?? '',
    seconds,
    totals: {
      ...counts(
        sum(({ totals }) => totals.requests),
        sum(({ totals }) => totals.failures),
        seconds,
      ),
      bytes: sum(({ totals }) => totals.bytes),
    },
    latency_overall: Histogram.of(histogram).latency(),
    service_overall: Histogram.of(service).latency(),
    per_endpoint: mergedEndpoints(results, seconds),
    timeline: mergedTimeline(results),
    histogram,
    service_histogram: service,
  };
}

function merged(histograms: readonly LoadHistogram[]): LoadHistogram {
  const all = new Histogram();
  for (const one of histograms) all.add(one);
  return all.store();
}

function mergedEndpoints(results: readonly LoadResult[], seconds: number): readonly LoadEndpoint[] {
  const groups = Map.groupBy(
    results.flatMap(({ per_endpoint }) => per_endpoint),
    ({ method, name }) => `${method} ${name}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const histogram = merged(group.map((one) => one.histogram));
    const failures = group.reduce((all, one) => all + one.failures, 0);
    return [
      {
        name: first.name,
        method: first.method,
        ...counts(histogram.count, failures, seconds),
        latency: Histogram.of(histogram).latency(),
        statuses: added(group.map(({ statuses }) => statuses)),
        errors: added(group.map(({ errors }) => errors)),
        histogram,
      },
    ];
  });
}

function added(list: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const one of list) for (const [key, count] of Object.entries(one)) all[key] = (all[key] ?? 0) + count;
  return all;
}

/**
 * Seconds of equal number are one; their percentile is the highest, since theirs are no longer known value by value.
 */
function mergedTimeline(results: readonly LoadResult[]): readonly LoadSecond[] {
  const most = Math.max(0, ...results.map(({ timeline }) => timeline.length));
  return Array.from({ length: most }, (_, second) => {
    const all = results.flatMap(({ timeline }) => timeline[second] ?? []);
    const sum = (read: (one: LoadSecond) => number): number => all.reduce((total, one) => total + read(one), 0);
    return {
      second,
      requests: sum(({ requests }) => requests),
      failures: sum(({ failures }) => failures),
      active: sum(({ active }) => active),
      p95_ms: Math.max(0, ...all.map(({ p95_ms }) => p95_ms)),
    };
  });
}
