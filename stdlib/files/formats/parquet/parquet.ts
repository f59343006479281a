import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';
import { requireFile } from '#stdlib/files/kind.ts';

import { openTable, requireFitting, type Table } from '../csv/table.ts';
import { columnsOf, valuesOf } from './columns.ts';

/** A row group has no more rows, and ends when its text has so many characters. */
const mostRows = 50_000;
const mostCharacters = 16 * 1024 * 1024;

export const FA_parquet_read = command('FA_parquet_read', async ({ path, limit, columns, offset }, ctx) => {
  await requireFile(ctx.files, path);
  const file = await ctx.files.open(path);
  try {
    const opened = await ctx.parquet.open(file, path);
    const unknown = columns?.find((name) => !opened.columns.includes(name));
    if (unknown !== undefined)
      throw fail.parquetColumnUnknown({ path, column: unknown, expected: [...opened.columns] });
    const rows: Record<string, Json>[] = [];
    for await (const group of opened.read({
      from: offset,
      to: limit === null ? opened.rows : offset + limit,
      ...(columns === null ? {} : { columns }),
    })) {
      ctx.signal.throwIfAborted();
      for (const row of group) rows.push(row);
    }
    return rows;
  } finally {
    await file.close();
  }
});

export const FA_parquet_write = command('FA_parquet_write', async ({ path, records, types, compression }, ctx) => {
  const rows = records as readonly Readonly<Record<string, Json>>[];
  const columns = columnsOf(rows, types);
  if (columns.length === 0) throw fail.parquetNoColumns({ path });
  async function* batches(): AsyncGenerator<readonly (readonly Json[])[], void> {
    for (let at = 0; at < rows.length; at += mostRows) {
      const batch = rows.slice(at, at + mostRows);
      yield columns.map(({ name }) => valuesOf(batch, name));
    }
  }
  await ctx.files.writeStream(path, ctx.parquet.write(batches(), { columns, compression }), {
    parents: true,
    durable: ctx.durable,
    signal: ctx.signal,
  });
  return rows.length;
});

export const FA_csv_to_parquet = command(
  'FA_csv_to_parquet',
  async ({ csv_path, parquet_path, delimiter, encoding, compression }, ctx) => {
    const table = await openTable(ctx, { path: csv_path, delimiter, encoding });
    const columns = table.columns.map((name) => ({ name, type: { kind: 'text' as const } }));
    const counted = { rows: 0 };
    try {
      await ctx.files.writeStream(
        parquet_path,
        ctx.parquet.write(groupsOf(table, csv_path, counted), { columns, compression }),
        { parents: true, durable: ctx.durable, signal: ctx.signal },
      );
    } finally {
      await table.close();
    }
    return counted.rows;
  },
);

/** The cells of a table by columns, as many rows at a time as make a row group. */
async function* groupsOf(
  { columns, rows }: Table,
  path: string,
  counted: { rows: number },
): AsyncGenerator<readonly (readonly Json[])[], void> {
  const empty = (): (string | null)[][] => columns.map(() => []);
  let group = empty();
  let held = 0;
  let characters = 0;
  for await (const cells of rows) {
    counted.rows += 1;
    requireFitting(columns, cells, { path, row: counted.rows });
    for (const [index, column] of group.entries()) {
      const cell = cells[index] ?? null;
      column.push(cell);
      characters += cell?.length ?? 0;
    }
    held += 1;
    if (held < mostRows && characters < mostCharacters) continue;
    yield group;
    group = empty();
    held = 0;
    characters = 0;
  }
  if (held > 0) yield group;
}
