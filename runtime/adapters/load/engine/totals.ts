import type { LoadEndpoint, LoadResult, LoadSecond, LoadTask } from '#schemas/types/load.ts';

import { Histogram } from './histogram.ts';

/** Outcome of a request, with its times. */
export interface Sample {
  readonly task: LoadTask;
  /** Times (ms, monotonic clock) at which it should have begun, was sent, and ended. */
  readonly due: number;
  readonly sent: number;
  readonly ended: number;
  readonly bytes: number;
  /** Absent: no answer came. */
  readonly status?: number;
  /** Reason why it counts as failed, where no answer came. */
  readonly error?: string;
}

interface Endpoint {
  readonly task: LoadTask;
  readonly latency: Histogram;
  readonly statuses: Record<string, number>;
  readonly errors: Record<string, number>;
  failures: number;
}

interface Second {
  requests: number;
  failures: number;
  active: number;
  readonly latency: Histogram;
}

/** Counts what becomes of requests; its size does not grow with their number. */
export class Totals {
  readonly #service = new Histogram();
  readonly #endpoints: Endpoint[] = [];
  /** The same by method, then by name. */
  readonly #named = new Map<string, Map<string, Endpoint>>();
  readonly #seconds: Second[] = [];
  readonly #begun: number;
  #bytes = 0;
  #failures = 0;

  constructor(begun: number) {
    this.#begun = begun;
  }

  add(sample: Sample): void {
    const { task, due, sent, ended, bytes, status, error } = sample;
    const latency = (ended - due) * 1000;
    const endpoint = this.#endpoint(task);
    const isFailed =
      status === undefined || (task.expect_status === undefined ? status >= 400 : status !== task.expect_status);
    this.#service.record((ended - sent) * 1000);
    endpoint.latency.record(latency);
    this.#bytes += bytes;
    if (status !== undefined) endpoint.statuses[status] = (endpoint.statuses[status] ?? 0) + 1;
    else endpoint.errors[error ?? 'unknown'] = (endpoint.errors[error ?? 'unknown'] ?? 0) + 1;
    const second = this.#second(ended);
    second.requests++;
    second.latency.record(latency);
    if (!isFailed) return;
    endpoint.failures++;
    second.failures++;
    this.#failures++;
  }

  /** Notes the number of users, or of requests under way, at this moment. */
  active(now: number, count: number): void {
    this.#second(now).active = count;
  }

  result(startedAt: string, now: number): LoadResult {
    const seconds = Math.max((now - this.#begun) / 1000, 0.001);
    const latency = new Histogram();
    for (const endpoint of this.#endpoints) latency.add(endpoint.latency.store());
    return {
      version: 1,
      started_at: startedAt,
      seconds,
      totals: { ...counts(latency.count, this.#failures, seconds), bytes: this.#bytes },
      latency_overall: latency.latency(),
      service_overall: this.#service.latency(),
      per_endpoint: this.#endpoints.map(({ task, latency: own, statuses, errors, failures }): LoadEndpoint => ({
        name: task.name,
        method: task.method,
        ...counts(own.count, failures, seconds),
        latency: own.latency(),
        statuses,
        errors,
        histogram: own.store(),
      })),
      timeline: Array.from(this.#seconds, (second, index): LoadSecond => ({
        second: index,
        requests: second?.requests ?? 0,
        failures: second?.failures ?? 0,
        active: second?.active ?? 0,
        p95_ms: (second?.latency.quantile(0.95) ?? 0) / 1000,
      })),
      histogram: latency.store(),
      service_histogram: this.#service.store(),
    };
  }

  #endpoint(task: LoadTask): Endpoint {
    const named = this.#named.get(task.method) ?? new Map<string, Endpoint>();
    const known = named.get(task.name);
    if (known) return known;
    const made: Endpoint = { task, latency: new Histogram(), statuses: {}, errors: {}, failures: 0 };
    this.#endpoints.push(made);
    this.#named.set(task.method, named.set(task.name, made));
    return made;
  }

  #second(at: number): Second {
    const index = Math.max(0, Math.floor((at - this.#begun) / 1000));
    return (this.#seconds[index] ??= { requests: 0, failures: 0, active: 0, latency: new Histogram() });
  }
}

export function counts(
  requests: number,
  failures: number,
  seconds: number,
): Pick<LoadResult['totals'], 'requests' | 'failures' | 'failure_rate' | 'requests_per_second'> {
  return {
    requests,
    failures,
    failure_rate: requests === 0 ? 0 : failures / requests,
    requests_per_second: Math.round((requests / seconds) * 100) / 100,
  };
}
