import * as fail from '#schemas/generated/failures.ts';

import { percentile, responseMs } from '../../response-times.ts';

export interface Limits {
  readonly max_ms: number;
  readonly p95_ms: number;
}

/** Fails where a time is above its limit, where a record has none, and where there is nothing to judge. */
export function judgeTimes(records: readonly object[], limits: Limits): void {
  if (records.length === 0) throw fail.slaNothing({});
  const times = records.map(
    (record, index) => responseMs(record as Readonly<Record<string, unknown>>) ?? missing(index),
  );
  const sorted = times.toSorted((a, b) => a - b);
  const measured = { max_ms: round(sorted.at(-1) ?? 0), p95_ms: round(percentile(sorted, 95)) };
  if (measured.max_ms <= limits.max_ms && measured.p95_ms <= limits.p95_ms) return;
  const slowest = requestName(records[times.indexOf(sorted.at(-1) ?? 0)] ?? {});
  throw fail.slaExceeded({
    count: records.length,
    slowest: measured.max_ms,
    p95: measured.p95_ms,
    ...limits,
    expected: { ...limits },
    actual: { ...measured, ...(slowest === undefined ? {} : { slowest }) },
  });
}

function missing(index: number): never {
  throw fail.slaNoTime({ index });
}

function requestName(record: object): string | undefined {
  const { method, url, request_method, request_url } = record as Readonly<Record<string, unknown>>;
  const address = url ?? request_url;
  return typeof address === 'string' ? `${String(method ?? request_method ?? '')} ${address}`.trim() : undefined;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
