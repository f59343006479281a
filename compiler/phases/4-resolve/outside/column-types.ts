import { addAll } from '#grammar/source/add-all.ts';
import { isObject, type Json } from '#schemas/types/json.ts';
import type { RowSource } from '#schemas/types/plan.ts';

import { ANY, TEXT, typeOfJson, union, type Type } from '../value-type.ts';

import { CsvRecords, type CsvRecord } from './csv-records.ts';
import { rowsOfLines, rowsOfList, type JsonRow } from './json-rows.ts';

/** Types that the cells of a column may have, over all rows. */
export interface ColumnType {
  /** Type as conditions see it: cells of CSV are text. */
  readonly written: Type;
  /** Type as parameters take it: text that reads as a number or a boolean may be one. */
  readonly read: Type;
  /** The line of the file, or the row of a list, where the first cell stands. */
  readonly line: number;
}

export type ColumnTypes = ReadonlyMap<string, ColumnType>;

const NUMBER = /^\s*-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?\s*$/;
const BOOLEAN = /^\s*(?:true|false)\s*$/;

/**
 * The columns of a dataset and what stands in them, from the rows that a run would read; the text is read no further.
 * `isHead`: the text is but what the file begins with.
 */
export async function columnTypes(
  pieces: AsyncIterable<string>,
  rows: RowSource,
  isHead: boolean,
): Promise<ColumnTypes> {
  const limit = rows.limit ?? Infinity;
  if (rows.format === 'csv') return ofCsv(pieces, rows.delimiter ?? ',', isHead ? 0 : limit);
  return ofJson(rows.format === 'json' ? rowsOfList(pieces) : rowsOfLines(pieces), limit);
}

async function ofJson(rows: AsyncIterable<JsonRow>, limit: number): Promise<ColumnTypes> {
  const columns = new Map<string, { readonly cases: Cases; readonly line: number }>();
  let count = 0;
  if (limit > 0)
    for await (const { value: row, line } of rows) {
      if (isObject(row))
        for (const name of Object.keys(row)) {
          let column = columns.get(name);
          if (column === undefined) columns.set(name, (column = { cases: new Cases(), line }));
          column.cases.add(row[name] ?? null);
        }
      count += 1;
      if (count >= limit) break;
    }
  return new Map(
    [...columns].map(([name, { cases, line }]) => {
      const written = cases.type;
      return [name, { written, read: withScalars(written), line }] as const;
    }),
  );
}

/** The types of many values, of which most are alike: a plain one of a kind that was seen costs a look. */
class Cases {
  type: Type = NONE;
  readonly #seen = new Set<string>();

  add(value: Json): void {
    const isPlain = typeof value !== 'object' || value === null;
    const kind = value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value;
    if (this.type === ANY || (isPlain && this.#seen.has(kind))) return;
    if (isPlain) this.#seen.add(kind);
    this.type = this.type === NONE ? typeOfJson(value) : union([this.type, typeOfJson(value)]);
  }
}

const NONE: Type = [];

/**
 * Texts in rows of JSON are read as JSON too where a parameter takes only numbers or booleans; which, nobody has
 * looked.
 */
function withScalars(type: Type): Type {
  return type.some((schema) => schema['type'] === 'string')
    ? union([type, [{ type: 'number' }], [{ type: 'boolean' }]])
    : type;
}

/** A cell of a kind that was seen in a column of CSV. */
interface Seen {
  integer: boolean;
  number: boolean;
  boolean: boolean;
}

async function ofCsv(pieces: AsyncIterable<string>, delimiter: string, limit: number): Promise<ColumnTypes> {
  const names: string[] = [];
  const seen: Seen[] = [];
  let first = 0;
  let count = 0;
  const take = ({ cells, line }: CsvRecord): void => {
    if (names.length === 0) {
      addAll(names, cells);
      addAll(
        seen,
        cells.map(() => ({ integer: false, number: false, boolean: false })),
      );
    } else if (count < limit) {
      if (count === 0) first = line;
      for (let index = 0; index < seen.length; index += 1) note(cells[index] ?? '', seen[index]);
      count += 1;
    }
  };
  const reading = new CsvRecords(delimiter);
  for await (const piece of pieces) {
    for (const record of reading.push(piece)) take(record);
    if (names.length > 0 && count >= limit) break;
  }
  for (const record of reading.end()) take(record);
  return new Map(
    names.map((name, index) => {
      // Without rows that were looked at, nothing is known of what reads.
      const read = count === 0 ? union([TEXT, [{ type: 'number' }], [{ type: 'boolean' }]]) : readOf(seen[index]);
      return [name, { written: TEXT, read, line: first === 0 ? 1 : first }] as const;
    }),
  );
}

function readOf(seen: Seen | undefined): Type {
  const words = (['integer', 'number', 'boolean'] as const).filter((word) => seen?.[word] === true);
  return union([TEXT, ...words.map((type): Type => [{ type }])]);
}

function note(cell: string, seen: Seen | undefined): void {
  // Most texts are told from numbers and booleans by their first letter.
  if (seen === undefined || !/^[\s\d\-tf]/.test(cell)) return;
  const number = NUMBER.exec(cell);
  if (number === null) seen.boolean ||= BOOLEAN.test(cell);
  else if (number[1] === undefined && number[2] === undefined) seen.integer = true;
  else seen.number = true;
}
