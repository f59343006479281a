import { Readable } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { CsvOptions } from './port.ts';

export const provider: Provider<'csv'> = { open: () => ({ rows }) };

async function* rows(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<readonly string[], void> {
  const { delimiter, longestRow, most } = options;
  const parser = parse({ delimiter, record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true, relax_column_count: true, max_record_size: longestRow, ...(most !== undefined && { to: most }) });
  const source = Readable.from(text);
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

function explained(cause: CsvError, { path, longestRow }: CsvOptions): Error {
  const { lines: line = 1, records: row = 0 } = cause as CsvError & { readonly lines?: number; readonly records?: number };
  switch (cause.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return fail.csvQuoteOpen({ path, row });
    case 'CSV_MAX_RECORD_SIZE':
      return fail.dataLineTooLong({ path, limit: longestRow, cause });
    default:
      return fail.csvQuoteMisplaced({ path, line, cause });
  }
}
