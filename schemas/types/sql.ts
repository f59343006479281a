export type SqlValue = string | number | bigint | boolean | Uint8Array | null;

/** One connection to a database server. Calls are made one after the other. */
export interface SqlConnection {
  /** One statement; places for values are written as the database wants them (`$1`, `?`). Rejects with a `Failure`. */
  query(sql: string, values?: readonly SqlValue[]): Promise<SqlAnswer>;
  /** More than once does no harm. */
  close(): Promise<void>;
}

export interface SqlAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that were changed, or found by a change that changed nothing. */
  readonly changes: number;
}

export interface SqlConnectOptions {
  /** How long connecting, and each statement, may take. */
  readonly timeout_ms: number;
  readonly signal?: AbortSignal;
}
