import { Readable } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { CsvOptions } from './port.ts';

export const provider: Provider<'csv'> = { open: () => ({ rows }) };

/**
 * The parser takes apart all that it gets at once, and the rows wait until they are taken: those of a large piece would
 * outlive the memory that is collected cheaply.
 */
const SLICE = 16 * 1024;

async function* rows(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<readonly string[], void> {
  const { delimiter, longestRow, most } = options;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: longestRow,
    ...(most !== undefined && { to: most }),
  });
  const source = Readable.from(slices(text), { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const row of parser) yield row as readonly string[];
  } catch (error) {
    throw error instanceof CsvError ? explained(error, options) : error;
  } finally {
    source.destroy();
  }
}

async function* slices(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const piece of text) {
    for (let at = 0; at < piece.length;) {
      const end = at + SLICE;
      // The two halves of a character stay together.
      const isParted = /[\ud800-\udbff]/.test(piece.charAt(end - 1));
      yield piece.slice(at, isParted ? end + 1 : end);
      at = isParted ? end + 1 : end;
    }
  }
}

function explained(cause: CsvError, { path, longestRow }: CsvOptions): Error {
  const { lines: line = 1, records: row = 0 } = cause as CsvError & {
    readonly lines?: number;
    readonly records?: number;
  };
  switch (cause.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return fail.csvQuoteOpen({ path, row });
    case 'CSV_MAX_RECORD_SIZE':
      return fail.dataLineTooLong({ path, limit: longestRow, cause });
    default:
      return fail.csvQuoteMisplaced({ path, line, cause });
  }
}
