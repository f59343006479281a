import { toNumber } from '#runtime/kernel/values/convert.ts';

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
