import type { SqlConnection, SqlConnectOptions } from '#schemas/types/sql.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly postgres: Postgres;
  }
}

/**
 * PostgreSQL servers, by addresses `postgresql://user:password@host:port/database?…` with the parameters that libpq
 * knows.
 */
export interface Postgres {
  /** The password is masked from then on. Connections still open are closed at the end of the unit. */
  connect(address: string, options: SqlConnectOptions): Promise<SqlConnection>;
}
