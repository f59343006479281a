import type { Json } from './json.ts';

export type SqlValue = string | number | bigint | boolean | Uint8Array | null;

/** One connection to a database server. Calls are made one after the other. */
export interface SqlConnection {
  /** One statement; places for values are written as the database wants them (`$1`, `?`). Rejects with a `Failure`. */
  query(sql: string, values?: readonly SqlValue[]): Promise<SqlAnswer>;
  /** One statement by itself and the last of its connection, with its rows as JSON values. Rejects with a `Failure`. */
  table(sql: string, values: readonly SqlValue[], options: SqlTableOptions): Promise<SqlTable>;
  /** More than once does no harm. */
  close(): Promise<void>;
}

export interface SqlAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that were changed, or found by a change that changed nothing. */
  readonly changes: number;
}

export interface SqlTableOptions {
  /** Whether the transaction can change nothing; otherwise the change is kept. */
  readonly readOnly: boolean;
  /** More rows end it with `TooManyRows`. */
  readonly mostRows: number;
}

/** A statement yields more rows than it may. */
export class TooManyRows extends Error {}

/**
 * Rows as JSON: integers beyond 2^53 and decimals as decimal text, dates and times as ISO text (those with a zone in
 * UTC), bytes as base64, lists of the database as lists, numbers that are none as text.
 */
export interface SqlTable {
  /** Empty where the statement yields no rows at all. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
  readonly changes: number;
}

export interface SqlConnectOptions {
  /** Time limit (ms) for connecting, and for each statement. */
  readonly timeout_ms: number;
  readonly signal?: AbortSignal;
}
