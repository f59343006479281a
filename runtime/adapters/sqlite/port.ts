import type { SqlTable } from '#schemas/types/sql.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly sqlite: Sqlite;
  }
}

/**
 * Opens SQLite files. Several processes may have one open; whoever waits for another's lock longer than `busy_ms` gets
 * a failure that `isBusy` knows.
 */
export interface Sqlite {
  /** Made when it is missing, unless `create` is false; its folder must be there. Fails where it is no SQLite file. */
  open(path: string, options?: SqliteOptions): Promise<SqliteDatabase>;
  /**
   * Whether a failure of a statement says that another process holds the lock: nothing was changed, it may be tried
   * again.
   */
  isBusy(failure: unknown): boolean;
}

export interface SqliteOptions {
  /** 5000 unless given. The process stands still meanwhile. */
  readonly busy_ms?: number;
  readonly create?: boolean;
  /** Statements that would change something fail. */
  readonly readOnly?: boolean;
}

export interface SqliteTableOptions {
  /** More rows end it with `TooManyRows`. */
  readonly mostRows: number;
  /** Looked at between rows: a failure ends the statement. */
  readonly stop?: () => Error | undefined;
}

/** Calls block until they are done. */
export interface SqliteDatabase {
  /** Statements without values, one or more. */
  exec(sql: string): void;
  /** One statement with values for its `?`; kept prepared. */
  run(sql: string, values?: readonly SqliteValue[]): SqliteChange;
  all(sql: string, values?: readonly SqliteValue[]): readonly SqliteRow[];
  /** One statement with its rows as JSON values. A mistake in it is thrown as the library says it. */
  table(sql: string, values: readonly SqliteValue[], options: SqliteTableOptions): SqlTable;
  /** More than once does no harm. */
  close(): void;
}

export type SqliteValue = string | number | bigint | Uint8Array | null;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

export interface SqliteChange {
  /** Rows changed. */
  readonly changes: number;
  /** Id of the row that was inserted last. */
  readonly lastId: number;
}
