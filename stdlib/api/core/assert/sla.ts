import { toNumber } from '#runtime/kernel/values/convert.ts';
import * as fail from '#schemas/generated/failures.ts';

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

/** Nearest rank: position ceil(pct/100 · n) of the sorted values. */
export function percentile(sorted: readonly number[], pct: number): number {
  return sorted[Math.max(Math.ceil((pct / 100) * sorted.length), 1) - 1] ?? 0;
}

/** Milliseconds of a record, also of the older forms; undefined: it has no time. */
export function responseMs(record: Readonly<Record<string, unknown>>): number | undefined {
  const measured = toNumber(record['response_time_ms']) ?? toNumber(record['elapsed_ms']);
  if (measured !== undefined) return measured;
  const elapsed = toNumber(record['elapsed']);
  if (elapsed !== undefined) return elapsed < 1000 ? elapsed * 1000 : elapsed;
  const seconds = toNumber(record['request_time_sec']);
  return seconds === undefined ? undefined : seconds * 1000;
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
