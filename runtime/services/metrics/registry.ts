import type { Exposition } from './port.ts';

/** Upper ends, in seconds; above the last one stands `+Inf`. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;
/** More names than a program can mean: the rest counts as `unknown`, so that nobody makes series without end. */
const MOST_ACTIONS = 5000;
const UNKNOWN = 'unknown';

interface Series {
  ok: number;
  error: number;
  sum: number;
  /** Samples within each bucket and not within the one before. */
  readonly within: number[];
}

/** One counter and one histogram, by action, in the text exposition format 0.0.4. */
export class MetricsRegistry {
  readonly #series = new Map<string, Series>();

  /** Takes one sample. Durations below 0 count as 0; what is no name of an action counts as `unknown`. Never fails. */
  record(action: string, durationSeconds: number, ok: boolean): void {
    const series = this.#of(typeof action === 'string' && action !== '' ? action : UNKNOWN);
    const seconds = Number.isFinite(durationSeconds) ? Math.max(0, durationSeconds) : 0;
    series[ok ? 'ok' : 'error']++;
    series.sum += seconds;
    const found = buckets.findIndex((end) => seconds <= end);
    const index = found < 0 ? buckets.length : found;
    series.within[index] = (series.within[index] ?? 0) + 1;
  }

  render(): Exposition {
    const all = [...this.#series].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const lines = [
      '# HELP svc_actions_total Actions run, by outcome.',
      '# TYPE svc_actions_total counter',
      ...all.flatMap(([action, series]) => counterLines(action, series)),
      '# HELP svc_action_duration_seconds Wall time spent in an action.',
      '# TYPE svc_action_duration_seconds histogram',
      ...all.flatMap(([action, series]) => histogramLines(action, series)),
    ];
    return { text: `${lines.join('\n')}\n`, contentType: 'text/plain; version=0.0.4; charset=utf-8' };
  }

  #of(action: string): Series {
    const name = this.#series.has(action) || this.#series.size < MOST_ACTIONS ? action : UNKNOWN;
    const known = this.#series.get(name);
    if (known) return known;
    const made: Series = { ok: 0, error: 0, sum: 0, within: Array<number>(buckets.length + 1).fill(0) };
    this.#series.set(name, made);
    return made;
  }
}

function counterLines(action: string, { ok, error }: Series): readonly string[] {
  const line = (status: string, count: number): string =>
    `svc_actions_total{action="${escaped(action)}",status="${status}"} ${count}`;
  return [...(ok > 0 ? [line('ok', ok)] : []), ...(error > 0 ? [line('error', error)] : [])];
}

function histogramLines(action: string, { within, sum }: Series): readonly string[] {
  const label = `action="${escaped(action)}"`;
  let count = 0;
  const lines = within.map(
    (samples, index) => `svc_action_duration_seconds_bucket{${label},le="${endOf(index)}"} ${(count += samples)}`,
  );
  return [
    ...lines,
    `svc_action_duration_seconds_sum{${label}} ${sum}`,
    `svc_action_duration_seconds_count{${label}} ${count}`,
  ];
}

/** Upper end of a bucket, always with a fraction, as the exporter writes it whose series go on here. */
function endOf(index: number): string {
  const end = buckets[index];
  if (end === undefined) return '+Inf';
  return Number.isInteger(end) ? `${end}.0` : String(end);
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').toWellFormed();
}
