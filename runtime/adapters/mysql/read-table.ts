import type { FieldPacket, ResultSetHeader } from 'mysql2';
import type { Connection } from 'mysql2/promise';

import type { Json } from '#schemas/types/json.ts';
import type { SqlTable, SqlTableOptions } from '#schemas/types/sql.ts';
import { TooManyRows } from '#schemas/types/sql.ts';

import { cutOff, wiredOf } from './wired.ts';

export interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number | boolean | Buffer | null)[];
  /** Milliseconds. */
  readonly timeout: number;
}

/** Runs one prepared statement, with its rows as JSON values; connections are not told to take several. */
export async function readTable(
  client: Connection,
  statement: Statement,
  { readOnly, mostRows }: SqlTableOptions,
): Promise<SqlTable> {
  // A transaction that only read has nothing to keep: it ends with the connection.
  if (readOnly) await client.query('START TRANSACTION READ ONLY');
  return await limited(client, statement, mostRows);
}

async function limited(client: Connection, statement: Statement, mostRows: number): Promise<SqlTable> {
  return await new Promise((resolve, reject) => {
    let columns: readonly FieldPacket[] = [];
    let changes = 0;
    const rows: (readonly Json[])[] = [];
    const wired = wiredOf(client);
    const query = wired.execute({ ...statement, rowsAsArray: true });
    // Of a connection that is lost the library tells its statements by their time limit alone, unless they have callbacks.
    wired.once('error', (error: Error) => {
      clearTimeout(query.queryTimeout ?? undefined);
      reject(error);
    });
    query.on('error', (error: Error & { readonly sqlState?: string }) => {
      // The server may go on with it, and would answer nothing else until then.
      if (error.sqlState === undefined) cutOff(wired);
      reject(error);
    });
    query.on('fields', (fields: readonly FieldPacket[] | undefined) => {
      columns = fields ?? [];
    });
    query.on('result', (row: readonly unknown[] | ResultSetHeader) => {
      if (!isRow(row)) {
        changes = row.affectedRows;
        return;
      }
      if (rows.length < mostRows) {
        rows.push(inJson(row as unknown[], columns));
        return;
      }
      // Nothing else makes the server stop sending.
      cutOff(wired);
      reject(new TooManyRows());
    });
    query.on('end', () => resolve({ columns: columns.map(({ name }) => name), rows, changes }));
  });
}

function isRow(row: readonly unknown[] | ResultSetHeader): row is readonly unknown[] {
  return Array.isArray(row);
}

/** Types of columns by the numbers of the protocol. */
const TIMESTAMP = 7;
const DATETIME = 12;
const BIT = 16;

/** The values of a row in the place of those that the library gave: nobody else has it, and most stay as they are. */
function inJson(row: unknown[], columns: readonly FieldPacket[]): readonly Json[] {
  for (let index = 0; index < row.length; index += 1) {
    const value = row[index];
    if (typeof value === 'string' || typeof value === 'object') row[index] = jsonOf(value, columns[index]?.columnType);
  }
  return row as Json[];
}

function jsonOf(value: unknown, type: number | undefined): Json {
  if (Buffer.isBuffer(value)) return type === BIT ? bitsOf(value) : value.toString('base64');
  if (typeof value !== 'string') return value as Json;
  if (type === TIMESTAMP) return `${value.replace(' ', 'T')}Z`;
  return type === DATETIME ? value.replace(' ', 'T') : value;
}

function bitsOf(bits: Buffer): Json {
  const value = BigInt(`0x${bits.toString('hex') || '0'}`);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}
