import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Json } from '#schemas/types/json.ts';
import type { SqlTable } from '#schemas/types/sql.ts';
import { TooManyRows } from '#schemas/types/sql.ts';

import type { SqliteTableOptions, SqliteValue } from './port.ts';

/** Rows between two looks at the time, on average: a look takes as long as reading half a row. */
const BETWEEN_LOOKS = 32;

/** Runs one statement; a limit or a stop ends it between rows. */
export function readTable(
  database: DatabaseSync,
  sql: string,
  values: readonly SqliteValue[],
  options: SqliteTableOptions,
): SqlTable {
  const statement = database.prepare(sql);
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) return { columns, rows: [], changes: Number(statement.run(...values).changes) };
  const select = boundedSelect(database, sql, columns, options);
  return select
    ? { columns, rows: atOnce(select, values, options), changes: 0 }
    : { columns, rows: oneByOne(statement, values, options), changes: changesOf(database) };
}

/**
 * The statement as a part of one that ends itself, so that all its rows can be read in one call, which takes half the
 * time. Undefined where it is no SELECT, which alone can be a part, or has columns of one name.
 */
function boundedSelect(
  database: DatabaseSync,
  sql: string,
  columns: readonly string[],
  { mostRows, stop }: SqliteTableOptions,
): StatementSync | undefined {
  database.function('svc_goes_on', () => {
    const reason = stop?.();
    if (reason) throw reason;
    return 1;
  });
  const part = sql.replace(/;\s*$/, '');
  try {
    const select = database.prepare(
      `SELECT * FROM (${part}\n) WHERE random() & ${BETWEEN_LOOKS - 1} OR svc_goes_on() LIMIT ${mostRows + 1}`,
    );
    return select.columns().every(({ name }, index) => name === columns[index]) ? select : undefined;
  } catch {
    return undefined;
  }
}

function atOnce(
  select: StatementSync,
  values: readonly SqliteValue[],
  { mostRows }: SqliteTableOptions,
): (readonly Json[])[] {
  const rows = asArrays(select).all(...values) as unknown as SqliteValue[][];
  if (rows.length > mostRows) throw new TooManyRows();
  return rows.map(inJson);
}

function oneByOne(
  statement: StatementSync,
  values: readonly SqliteValue[],
  { mostRows, stop }: SqliteTableOptions,
): (readonly Json[])[] {
  const rows: (readonly Json[])[] = [];
  for (const row of asArrays(statement).iterate(...values) as Iterable<unknown>) {
    if (rows.length === mostRows) throw new TooManyRows();
    rows.push(inJson(row as SqliteValue[]));
    const reason = stop?.();
    if (reason) throw reason;
  }
  return rows;
}

/** Integers as 64-bit ones, so that none loses digits. */
function asArrays(statement: StatementSync): StatementSync {
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

function changesOf(database: DatabaseSync): number {
  const [counted] = database.prepare('SELECT changes() AS n').all();
  return Number(counted?.['n'] ?? 0);
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
