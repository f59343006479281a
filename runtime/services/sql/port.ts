import type { Json } from '#schemas/types/json.ts';
import type { SqlTable } from '#schemas/types/sql.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly sql: Sql;
  }
}

/** Statements of people, each over a connection of its own that is closed afterwards. */
export interface Sql {
  /** The rows of a statement, in a transaction that can change nothing. */
  read(statement: SqlStatement): Promise<SqlTable>;
  /** Rows that a statement has changed; the change is kept. */
  change(statement: SqlStatement): Promise<number>;
}

export interface SqlStatement {
  /**
   * A SQLite file or `sqlite:///…`, `postgresql://…`, `mysql://…` or `mariadb://…`; a driver after `+` is passed over.
   */
  readonly address: string;
  /** One statement; `:name` stands for a value, `::` does not. */
  readonly sql: string;
  /** Each is bound. A list stands for several values with commas between them, an object for its JSON text. */
  readonly values: Readonly<Record<string, Json>>;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
}
