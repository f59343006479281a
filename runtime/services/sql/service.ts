import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { SQL } from '#schemas/generated/choices.ts';
import * as fail from '#schemas/generated/failures.ts';
import { DATABASE_ROWS } from '#schemas/generated/settings.ts';
import { chosenBy, schemeOf } from '#schemas/types/scheme.ts';
import type { SqlConnection, SqlTable, SqlTableOptions } from '#schemas/types/sql.ts';
import { TooManyRows } from '#schemas/types/sql.ts';

import { bind, type Dialect } from './bind.ts';
import type { SqlStatement } from './port.ts';
import { openSqlite, SQLITE_DIALECT } from './sqlite-connection.ts';

export const provider: Provider<'sql'> = {
  open: (context) => {
    const mostRows = context.settings.limits?.database_rows ?? DATABASE_ROWS;
    return {
      read: (statement) => ask(context, statement, { readOnly: true, mostRows }),
      change: async (statement) => (await ask(context, statement, { readOnly: false, mostRows })).changes,
    };
  },
};

async function ask(context: PortContext, statement: SqlStatement, options: SqlTableOptions): Promise<SqlTable> {
  const chosen = chosenBy(SQL, statement.address);
  if (chosen === undefined) throw fail.sqlSchemeUnknown({ scheme: schemeOf(statement.address) });
  const { sql, values } = bind(statement.sql, statement.values, DIALECTS[chosen]);
  const connection = await connect(context, chosen, statement, options);
  // Statements under way end with the connection.
  const stop = (): void => void connection.close();
  statement.signal.addEventListener('abort', stop, { once: true });
  try {
    statement.signal.throwIfAborted();
    return await connection.table(sql, values, options);
  } catch (error) {
    statement.signal.throwIfAborted();
    throw error instanceof TooManyRows ? fail.sqlTooManyRows({ limit: options.mostRows }) : error;
  } finally {
    statement.signal.removeEventListener('abort', stop);
    await connection.close();
  }
}

export const DIALECTS: Readonly<Record<(typeof SQL)[keyof typeof SQL], Dialect>> = {
  sqlite: SQLITE_DIALECT,
  postgres: {
    place: (index) => `$${index + 1}`,
    dollars: true,
    backslashes: false,
    hashes: false,
    unbound: /\$\d+(?!\w)/y,
  },
  mysql: { place: () => '?', dollars: false, backslashes: true, hashes: true, unbound: /[?]/y },
};

async function connect(
  context: PortContext,
  chosen: keyof typeof DIALECTS,
  { address, timeout_ms, signal }: SqlStatement,
  { readOnly }: SqlTableOptions,
): Promise<SqlConnection> {
  switch (chosen) {
    case 'sqlite':
      return await openSqlite(await context.port('sqlite'), context.host.clock, { address, timeout_ms, readOnly });
    case 'postgres':
      return await (await context.port('postgres')).connect(withoutDriver(address), { timeout_ms, signal });
    case 'mysql':
      return await (await context.port('mysql')).connect(withoutDriver(address), { timeout_ms, signal });
    default:
      return chosen satisfies never;
  }
}

/** `postgresql+driver://` names a driver of other languages. */
function withoutDriver(address: string): string {
  return address.replace(/^([a-z]+)[+][a-z0-9]+:/i, '$1:');
}
