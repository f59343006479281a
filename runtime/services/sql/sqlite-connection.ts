import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Clock } from '#schemas/types/host.ts';
import { schemeOf } from '#schemas/types/scheme.ts';
import type { SqlConnection, SqlValue } from '#schemas/types/sql.ts';
import { TooManyRows } from '#schemas/types/sql.ts';

import { liveText, type Dialect } from './bind.ts';

export const SQLITE_DIALECT: Dialect = {
  place: () => '?',
  dollars: false,
  backslashes: false,
  hashes: false,
  unbound: /[?]\d*|[@$:]\w+/y,
};

/** The library would open these past the host, which may keep callers from places. */
const OTHER_FILES = /^\s*(?:attach\b|vacuum\b.*\binto\b)/is;

export interface SqlitePlace {
  readonly address: string;
  readonly timeout_ms: number;
  readonly readOnly: boolean;
}

/**
 * A SQLite file as the connection that servers have. Its time limit is looked at between rows and while another process
 * writes.
 */
export async function openSqlite(
  sqlite: Ports['sqlite'],
  clock: Clock,
  { address, timeout_ms, readOnly }: SqlitePlace,
): Promise<SqlConnection> {
  const end = clock.monotonic() + timeout_ms;
  const path = pathOf(address);
  const database = await sqlite.open(path, { busy_ms: timeout_ms, readOnly, create: !readOnly });
  const stop = (): Error | undefined =>
    clock.monotonic() > end ? fail.sqlTimeOver({ place: path, seconds: timeout_ms / 1000 }) : undefined;
  return {
    query: (sql, values = []) => {
      const rows = database.all(sql, values.map(sendable));
      return Promise.resolve({ rows, changes: 0 });
    },
    table: (sql, values, { mostRows }) => {
      if (OTHER_FILES.test(liveText(sql, SQLITE_DIALECT)))
        return Promise.reject(fail.databaseRefused({ place: path, reason: 'ATTACH and VACUUM INTO open other files' }));
      try {
        return Promise.resolve(database.table(sql, values.map(sendable), { mostRows, stop }));
      } catch (error) {
        return Promise.reject(refused(error, path));
      }
    },
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}

/**
 * `sqlite:///file.db` is relative, `sqlite:////file.db` absolute, `sqlite://` a database in memory; anything else is a
 * path.
 */
function pathOf(address: string): string {
  if (schemeOf(address) === '') return address;
  const path = address.slice(address.indexOf('://') + 3).replace(/^\//, '');
  return path === '' ? ':memory:' : path;
}

/** The library's error for a mistake in a statement, as the database's refusal. */
function refused(error: unknown, place: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof Failure || error instanceof TooManyRows) return error;
  return fail.databaseRefused({ place, reason: error.message, cause: error });
}

function sendable(value: SqlValue): string | number | bigint | Uint8Array | null {
  return typeof value === 'boolean' ? Number(value) : value;
}
