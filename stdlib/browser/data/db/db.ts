import { deepEqual } from '#runtime/kernel/values/deep-equal.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { command, type Context } from '#stdlib/command.ts';

type Params = CommandMap['WR_db_query']['params'];
type DbContext = Context<'WR_db_query'>;
type Table = Awaited<ReturnType<DbContext['sql']['read']>>;

export const WR_db_query = command('WR_db_query', async (params, ctx) => objectsOf(await read(params, ctx)));

export const WR_db_assert_count = command('WR_db_assert_count', async (params, ctx) => {
  const actual = (await read(params, ctx)).rows.length;
  if (actual !== params.expected) throw fail.dbRowCountDiffers({ expected: params.expected, actual });
  return null;
});

export const WR_db_assert_empty = command('WR_db_assert_empty', async (params, ctx) => {
  const count = (await read(params, ctx)).rows.length;
  if (count > 0) throw fail.dbRowsFound({ count });
  return null;
});

export const WR_db_assert_exists = command('WR_db_assert_exists', async (params, ctx) => {
  if ((await read(params, ctx)).rows.length === 0) throw fail.dbNoRow({});
  return null;
});

export const WR_db_assert_value = command('WR_db_assert_value', async (params, ctx) => {
  const { column, expected, row_index: index } = params;
  const table = await read(params, ctx);
  if (table.rows.length === 0) throw fail.dbNoRow({});
  const row = objectsOf(table)[index];
  if (!row) throw fail.dbRowOutside({ count: table.rows.length, index });
  const actual = Object.hasOwn(row, column) ? row[column] : undefined;
  if (actual === undefined) throw fail.dbColumnUnknown({ column, columns: table.columns.toSorted().join(', ') });
  if (!deepEqual(actual, expected)) throw fail.dbValueDiffers({ column, index, expected: expected as Json, actual });
  return null;
});

export const WR_db_execute = command('WR_db_execute', async (params, ctx) => ({
  affected_rows: await ctx.sql.change(statementOf(params, ctx)),
}));

async function read(params: Params, ctx: DbContext): Promise<Table> {
  const table = await ctx.sql.read(statementOf(params, ctx));
  if (table.columns.length === 0) throw fail.sqlNoTable({});
  return table;
}

function statementOf(
  { connection_url: address, sql, params, timeout }: Params,
  ctx: DbContext,
): Parameters<DbContext['sql']['read']>[0] {
  return { address, sql, values: (params ?? {}) as JsonObject, timeout_ms: timeout * 1000, signal: ctx.signal };
}

function objectsOf({ columns, rows }: Table): JsonObject[] {
  const twice = columns.find((name, index) => columns.indexOf(name) < index);
  if (twice !== undefined) throw fail.sqlColumnTwice({ column: twice });
  // An assignment would be lost for this one name, and takes a third of the time for all others.
  if (columns.includes('__proto__'))
    return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
  return rows.map((row) => objectOf(columns, row));
}

function objectOf(columns: readonly string[], row: readonly Json[]): JsonObject {
  const object: Record<string, Json> = {};
  let index = 0;
  for (const name of columns) object[name] = row[index++] ?? null;
  return object;
}
