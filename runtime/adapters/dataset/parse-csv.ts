import { Readable } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import type { JsonObject } from '#schemas/types/json.ts';

/**
 * Rows of a CSV text by the names of its first line; all values are text. Blank lines are skipped; a line with too few
 * or too many cells, and a name that stands twice, are errors that tell the line.
 */
export async function* parseCsv(text: AsyncIterable<string>, delimiter: string): AsyncIterable<JsonObject> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
  });
  const source = Readable.from(text);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    let names: readonly string[] | undefined;
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (names) yield rowOf(names, cells);
      else names = distinct(cells);
    }
  } catch (error) {
    throw error instanceof CsvError ? new Error(explained(error), { cause: error }) : error;
  } finally {
    source.destroy();
  }
}

/** Names come from the file: one such as `__proto__` is data too. */
function rowOf(names: readonly string[], cells: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
}

function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new Error(`the column "${name}" stands twice in its first line.`);
    seen.add(name);
  }
  return [...names];
}

function explained(error: CsvError): string {
  const details = error as CsvError & { readonly lines?: number; readonly record?: readonly unknown[] };
  const where = details.lines === undefined ? '' : `line ${details.lines}: `;
  const [, columns] = /expect (\d+)/.exec(error.message) ?? [];
  if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH' && columns !== undefined)
    return `${where}${details.record?.length ?? 0} cells where ${columns} columns are named.`;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `${where}a quote is never closed.`;
  return `${where}${error.message}`;
}
