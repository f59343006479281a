import type { DuckDBConnection } from '@duckdb/node-api';

/** Another reader and writer of Parquet files. */
export interface Duck extends Disposable {
  run(sql: string): Promise<void>;
  /** Rows in which every value is told exactly, as text where JSON could not. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Undefined where the platform has no build of it, said in one line. In CI it must be there. */
export async function openDuck(): Promise<Duck | undefined> {
  try {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    return duckOf(connection);
  } catch (error) {
    if (process.env['CI']) throw error;
    console.warn('no DuckDB for this platform: tests of Parquet files against it are skipped');
    return undefined;
  }
}

function duckOf(connection: DuckDBConnection): Duck {
  return {
    run: async (sql) => void (await connection.run(sql)),
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson(),
    [Symbol.dispose]: () => connection.closeSync(),
  };
}
