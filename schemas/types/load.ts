/** Requests of a load run, their rate and duration: plain data, handed to the engine's process. */
export interface LoadPlan {
  readonly tasks: readonly LoadTask[];
  /** `sequence`: in order, again and again; `weighted`: at random by weight. */
  readonly mode: 'sequence' | 'weighted';
  readonly model: LoadModel;
  /** Pause of a user behind each request, in milliseconds, drawn evenly; closed model only. */
  readonly think_ms?: readonly [least: number, most: number];
  /** Values for `{{row.NAME}}` in addresses, headers and bodies, one row after the other. */
  readonly rows?: readonly Readonly<Record<string, string>>[];
  /** Decides about weights and pauses. */
  readonly seed: number;
  /**
   * Addresses to connect to, by host: these were checked, and names are not looked up again. Absent: the system looks
   * names up.
   */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  /** Until what is under way must have ended when the time is over, in milliseconds. */
  readonly grace_ms: number;
}

export interface LoadTask {
  readonly name: string;
  /** Method in capitals. */
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bytes in place of `body`. */
  readonly body_base64?: string;
  /** Values of rows are filled into those bytes: they are a form whose fields speak of rows. */
  readonly fills_body?: boolean;
  /** Answers Digest challenges with a second request; its time is that of both. */
  readonly digest?: readonly [user: string, password: string];
  /** Absent: any status below 400 passes. */
  readonly expect_status?: number;
  readonly weight: number;
  readonly timeout_ms: number;
  readonly follow?: boolean;
  /** Any certificate will do, for this request alone. */
  readonly unverified?: boolean;
}

/**
 * Closed: so many users, each of whom waits for its answer before it goes on. Open: so many requests a second begin,
 * whether earlier ones have been answered or not; their latency counts from when they should have begun.
 */
export type LoadModel =
  | { readonly kind: 'closed'; readonly stages: readonly { readonly users: number; readonly seconds: number }[] }
  | {
      readonly kind: 'open';
      readonly stages: readonly { readonly rate: number; readonly seconds: number }[];
      /** Most requests at once; what should begin beyond them waits, and its latency with it. */
      readonly most: number;
    };

/** Result of a load run. Several of them can be merged without loss (`mergeLoads`). */
export interface LoadResult {
  readonly version: 1;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly seconds: number;
  readonly totals: LoadCounts & { readonly bytes: number };
  /** Latency from the moment when a request should have begun: free of coordinated omission in the open model. */
  readonly latency_overall: Latency;
  /** Latency from the moment when a request was sent. */
  readonly service_overall: Latency;
  readonly per_endpoint: readonly LoadEndpoint[];
  /** One entry a second. */
  readonly timeline: readonly LoadSecond[];
  readonly histogram: LoadHistogram;
  readonly service_histogram: LoadHistogram;
}

export interface LoadCounts {
  readonly requests: number;
  readonly failures: number;
  /** Share of failed requests, from 0 to 1. */
  readonly failure_rate: number;
  readonly requests_per_second: number;
}

export interface LoadEndpoint extends LoadCounts {
  readonly name: string;
  readonly method: string;
  readonly latency: Latency;
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of requests without an answer, by reason. */
  readonly errors: Readonly<Record<string, number>>;
  readonly histogram: LoadHistogram;
}

export interface LoadSecond {
  readonly second: number;
  readonly requests: number;
  readonly failures: number;
  /** Users (closed model) or requests under way (open model) at its end. */
  readonly active: number;
  readonly p95_ms: number;
}

export interface Latency {
  readonly min_ms: number;
  readonly mean_ms: number;
  readonly p50_ms: number;
  readonly p90_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly p999_ms: number;
  readonly max_ms: number;
}

/** Counts of microseconds in buckets of three significant digits, the lowest first: pairs of bucket and count. */
export interface LoadHistogram {
  readonly unit: 'us';
  readonly digits: 3;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
}
