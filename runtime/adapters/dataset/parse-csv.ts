import { Readable } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import type { JsonObject } from '#schemas/types/json.ts';

/**
 * Rows of a CSV text by the names of its first line; all values are text. Blank lines are skipped; a line with too few or too
 * many cells, and a name that stands twice, are errors that tell the line.
 */
export async function* parseCsv(text: AsyncIterable<string>, delimiter: string): AsyncIterable<JsonObject> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    columns: distinct,
  });
  const source = Readable.from(text);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const record of parser) yield record as JsonObject;
  } catch (error) {
    throw error instanceof CsvError ? new Error(explained(error), { cause: error }) : error;
  } finally {
    source.destroy();
  }
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
  const details = error as CsvError & {
    readonly lines?: number;
    readonly record?: readonly unknown[];
    readonly columns?: readonly unknown[] | boolean;
  };
  const where = details.lines === undefined ? '' : `line ${details.lines}: `;
  if (error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS' && Array.isArray(details.columns))
    return `${where}${details.record?.length ?? 0} cells where ${details.columns.length} columns are named.`;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `${where}a quote is never closed.`;
  return `${where}${error.message}`;
}
