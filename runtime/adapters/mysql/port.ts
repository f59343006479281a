import type { SqlConnection, SqlConnectOptions } from '#schemas/types/sql.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly mysql: Mysql;
  }
}

/**
 * MySQL and MariaDB servers, by addresses `mariadb://user:password@host:port/database`; `?ssl=true` asks for TLS with a
 * checked certificate.
 */
export interface Mysql {
  /**
   * The password is masked from then on. Times are in UTC. Connections still open are closed at the end of the
   * unit.
   */
  connect(address: string, options: SqlConnectOptions): Promise<SqlConnection>;
}
