import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import { inPieces } from '#stdlib/files/in-pieces.ts';
import { openEncoder } from '#stdlib/files/text-encoding.ts';
import { storedText } from '#stdlib/files/text-form.ts';

import { cellOf, columnsOf } from './cells.ts';
import { csvLine } from './csv-line.ts';
import { filtered, filterOf } from './filter.ts';
import { openTable, requireDelimiter, requireFitting, rowOf, type Table } from './table.ts';

export const FA_csv_filter = command('FA_csv_filter', async (params, ctx) => {
  const { src, target, delimiter, encoding } = params;
  const encoder = openEncoder(encoding);
  const table = await openTable(ctx, { path: src, delimiter, encoding });
  // The header is no row.
  let count = -1;
  try {
    const filter = filterOf(table.columns, params);
    const lines = async function* (): AsyncGenerator<string, void> {
      for await (const cells of filtered(table, filter)) {
        count += 1;
        yield csvLine(cells, delimiter);
      }
    };
    await ctx.files.writeStream(target, storedText(inPieces(lines()), encoder, encoder.mark), {
      parents: true,
      durable: ctx.durable,
      signal: ctx.signal,
    });
  } finally {
    await table.close();
  }
  return count;
});

export const FA_csv_to_jsonl = command('FA_csv_to_jsonl', async ({ src, target, delimiter, encoding }, ctx) => {
  const table = await openTable(ctx, { path: src, delimiter, encoding });
  const encoder = openEncoder('utf-8');
  // Made here and not by JSON.stringify of an object, which would put names such as 2024 before all others.
  const keys = table.columns.map((name) => `${JSON.stringify(name)}:`);
  let count = 0;
  async function* lines(): AsyncGenerator<string, void> {
    for await (const cells of table.rows) {
      count += 1;
      requireFitting(table.columns, cells, { path: src, row: count });
      yield `{${keys.map((key, index) => key + JSON.stringify(cells[index] ?? null)).join(',')}}\n`;
    }
  }
  try {
    await ctx.files.writeStream(target, storedText(inPieces(lines()), encoder, encoder.mark), {
      parents: true,
      durable: ctx.durable,
      signal: ctx.signal,
    });
  } finally {
    await table.close();
  }
  return count;
});

export const FA_csv_read = command('FA_csv_read', async ({ path, limit, delimiter, encoding }, ctx) => {
  const table = await openTable(ctx, { path, delimiter, encoding, limit });
  try {
    return await firstRows(table, path, limit ?? Infinity);
  } finally {
    await table.close();
  }
});

async function firstRows(table: Table, path: string, limit: number): Promise<Record<string, string | null>[]> {
  const found: Record<string, string | null>[] = [];
  if (limit === 0) return found;
  for await (const cells of table.rows) {
    found.push(rowOf(table.columns, cells, { path, row: found.length + 1 }));
    if (found.length >= limit) break;
  }
  return found;
}

export const FA_csv_write = command(
  'FA_csv_write',
  async ({ path, records, columns, delimiter, encoding, guard_formulas }, ctx) => {
    requireDelimiter(delimiter);
    const encoder = openEncoder(encoding);
    const names = columns ?? columnsOf(records);
    if (names.length === 0 && records.length > 0) throw fail.csvNothingToWrite({ count: records.length });
    async function* lines(): AsyncGenerator<string, void> {
      if (names.length > 0)
        yield csvLine(
          names.map((name) => cellOf(name, guard_formulas)),
          delimiter,
        );
      for (const record of records) {
        yield csvLine(
          names.map((name) => cellOf(Object.hasOwn(record, name) ? record[name] : null, guard_formulas)),
          delimiter,
        );
      }
    }
    await ctx.files.writeStream(path, storedText(inPieces(lines()), encoder, encoder.mark), {
      parents: true,
      durable: ctx.durable,
      signal: ctx.signal,
    });
    return records.length;
  },
);
