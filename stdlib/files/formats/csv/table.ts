import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { requireFile } from '#stdlib/files/kind.ts';
import { readingNamed, type ReadPlace } from '#stdlib/files/text-decoding.ts';

import { LONGEST_LINE, dataText } from '../data-text.ts';

export interface CsvPlace extends ReadPlace, Pick<Ports, 'csv'> {}

export interface CsvFile {
  readonly path: string;
  readonly delimiter: string;
  readonly encoding: string;
}

/** A CSV file whose header has been read. */
export interface Table {
  readonly columns: readonly string[];
  /** The rows behind the header, which count from 1. May be taken once. */
  readonly rows: AsyncIterable<readonly string[]>;
  /** For who does not take all rows. */
  close(): Promise<void>;
}

/** Fails for a file without a header, and for a name that stands twice in it. */
export async function openTable(place: CsvPlace, { path, delimiter, encoding }: CsvFile): Promise<Table> {
  requireDelimiter(delimiter);
  readingNamed(encoding);
  await requireFile(place.files, path);
  const rows = place.csv.rows(dataText(place, path, encoding), { path, delimiter, longestRow: LONGEST_LINE })[Symbol.asyncIterator]();
  const first = await rows.next();
  if (first.done === true) throw fail.csvNoHeader({ path });
  const columns = first.value;
  const close = async (): Promise<void> => void (await rows.return?.());
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice === undefined) return { columns, rows: { [Symbol.asyncIterator]: () => rows }, close };
  await close();
  throw fail.csvColumnTwice({ path, column: twice });
}

export function requireDelimiter(delimiter: string): void {
  if (/["\r\n\ufeff]/.test(delimiter)) throw fail.csvDelimiter({});
}

/** A row by the names of the columns; missing cells are null, and a cell too many is a failure. */
export function rowOf(columns: readonly string[], cells: readonly string[], { path, row }: { readonly path: string; readonly row: number }): Record<string, string | null> {
  if (cells.length > columns.length) throw fail.csvRowTooLong({ path, row, cells: cells.length, columns: columns.length });
  return Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? null]));
}
