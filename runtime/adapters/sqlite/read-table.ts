import type { DatabaseSync } from 'node:sqlite';

import type { Json } from '#schemas/types/json.ts';
import type { SqlTable } from '#schemas/types/sql.ts';
import { TooManyRows } from '#schemas/types/sql.ts';

import type { SqliteTableOptions, SqliteValue } from './port.ts';

/** Runs one statement; its rows are read one by one, so that a limit or a stop ends it. */
export function readTable(
  database: DatabaseSync,
  sql: string,
  values: readonly SqliteValue[],
  { mostRows, stop }: SqliteTableOptions,
): SqlTable {
  const statement = database.prepare(sql);
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) return { columns, rows: [], changes: Number(statement.run(...values).changes) };
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const rows: (readonly Json[])[] = [];
  for (const row of statement.iterate(...values) as Iterable<unknown>) {
    if (rows.length === mostRows) throw new TooManyRows();
    rows.push(inJson(row as SqliteValue[]));
    const reason = stop?.();
    if (reason) throw reason;
  }
  const [counted] = database.prepare('SELECT changes() AS n').all();
  return { columns, rows, changes: Number(counted?.['n'] ?? 0) };
}

/** The values of a row in the place of those that the database gave: nobody else has it, and most stay as they are. */
function inJson(row: SqliteValue[]): readonly Json[] {
  for (let index = 0; index < row.length; index += 1) {
    const value = row[index];
    if (typeof value !== 'string' && value !== undefined) row[index] = jsonOf(value) as SqliteValue;
  }
  return row as Json[];
}

function jsonOf(value: SqliteValue): Json {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
