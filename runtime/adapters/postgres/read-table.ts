import type { Client, QueryArrayResult } from 'pg';

import type { Json } from '#schemas/types/json.ts';
import type { SqlTable, SqlTableOptions, SqlValue } from '#schemas/types/sql.ts';
import { TooManyRows } from '#schemas/types/sql.ts';

import { jsonTypes } from './json-types.ts';

/** Forms of dates and lengths of time that the texts of `jsonTypes` come in. */
const FORMS = "SET TIME ZONE 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'iso_8601'";

/** Runs one statement by the extended protocol, which takes no second one, with its rows as JSON values. */
export async function readTable(
  client: Client,
  sql: string,
  values: readonly SqlValue[],
  { readOnly, mostRows }: SqlTableOptions,
): Promise<SqlTable> {
  // A transaction that only read has nothing to keep: it ends with the connection.
  await client.query(readOnly ? `${FORMS}; BEGIN READ ONLY` : FORMS);
  const { fields, rows, rowCount } = await limited(client, { sql, values, mostRows });
  return {
    columns: (fields ?? []).map(({ name }) => name),
    rows: rows as Json[][],
    changes: rowCount ?? 0,
  };
}

async function limited(
  client: Client,
  { sql, values, mostRows }: { readonly sql: string; readonly values: readonly SqlValue[]; readonly mostRows: number },
): Promise<QueryArrayResult<unknown[]>> {
  const { default: pg } = await import('pg');
  const types = await jsonTypes();
  return await new Promise((resolve, reject) => {
    let seen = 0;
    const query = new pg.Query(
      { text: sql, values: [...values], rowMode: 'array', types, queryMode: 'extended' } as never,
      undefined,
      (error: Error | undefined, result: unknown) => {
        if (seen > mostRows) reject(new TooManyRows());
        else if (error) reject(error);
        else resolve(result as QueryArrayResult<unknown[]>);
      },
    );
    query.on('row', () => {
      seen += 1;
      // Nothing else makes the server stop sending.
      if (seen === mostRows + 1) (client as unknown as Wired).connection.stream.destroy();
    });
    client.query(query);
  });
}

/** The stream that was given to the client, which its types do not show. */
interface Wired {
  readonly connection: { readonly stream: { destroy(): void } };
}
