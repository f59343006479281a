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
  /** After so many rows the rest of the file is not looked at. */
  readonly limit?: number | null;
}

/** A CSV file whose header has been read. */
export interface Table {
  readonly columns: readonly string[];
  /** The rows behind the header, which count from 1. May be taken once. */
  readonly rows: AsyncIterable<readonly string[]>;
  /** Closes a table of which not all rows are taken. */
  close(): Promise<void>;
}

/** Fails for a file without a header, and for a name that stands twice in it. */
export async function openTable(place: CsvPlace, { path, delimiter, encoding, limit }: CsvFile): Promise<Table> {
  requireDelimiter(delimiter);
  readingNamed(encoding);
  await requireFile(place.files, path);
  const rows = place.csv
    .rows(dataText(place, path, encoding), {
      path,
      delimiter,
      longestRow: LONGEST_LINE,
      ...(typeof limit === 'number' && { most: limit + 1 }),
    })
    [Symbol.asyncIterator]();
  const first = await rows.next();
  if (first.done === true) throw fail.csvNoHeader({ path });
  const columns = first.value;
  const close = async (): Promise<void> => void (await rows.return?.());
  const seen = new Set<string>();
  const twice = columns.find((name) => seen.size === seen.add(name).size);
  if (twice === undefined) return { columns, rows: { [Symbol.asyncIterator]: () => rows }, close };
  await close();
  throw fail.csvColumnTwice({ path, column: twice });
}

export function requireDelimiter(delimiter: string): void {
  if (/["\r\n\ufeff]/.test(delimiter)) throw fail.csvDelimiter({});
}

interface RowPlace {
  readonly path: string;
  /** Number of the row, from 1. */
  readonly row: number;
}

export function requireFitting(columns: readonly string[], cells: readonly string[], { path, row }: RowPlace): void {
  if (cells.length > columns.length)
    throw fail.csvRowTooLong({ path, row, cells: cells.length, columns: columns.length });
}

/** A row by the names of the columns; missing cells are null, and a cell too many is a failure. */
export function rowOf(
  columns: readonly string[],
  cells: readonly string[],
  place: RowPlace,
): Record<string, string | null> {
  requireFitting(columns, cells, place);
  return Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? null]));
}
