import { isObject, type Json } from '#schemas/types/json.ts';
import type { RowSource } from '#schemas/types/plan.ts';

import { TEXT, typeOfJson, union, type Type } from '../value-type.ts';

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
 * The columns of a dataset and what stands in them, from the rows that a run would read. `isHead`: the text is but what
 * the file begins with.
 */
export function columnTypes(text: string, rows: RowSource, isHead: boolean): ColumnTypes | undefined {
  const limit = rows.limit ?? Infinity;
  if (rows.format === 'csv') return ofCsv(text, rows.delimiter ?? ',', isHead ? 0 : limit);
  const values: readonly (readonly [Json, number])[] = rows.format === 'json' ? ofList(text) : ofLines(text);
  const columns = new Map<string, { types: Type[]; line: number }>();
  for (const [row, line] of values.slice(0, limit)) {
    if (!isObject(row)) continue;
    for (const [name, value] of Object.entries(row)) {
      const known = columns.get(name);
      if (known === undefined) columns.set(name, { types: [typeOfJson(value)], line });
      else known.types = [union([...known.types, typeOfJson(value)])];
    }
  }
  return new Map(
    [...columns].map(([name, { types, line }]) => {
      const written = union(types);
      return [name, { written, read: withScalars(written), line }] as const;
    }),
  );
}

function ofList(text: string): readonly (readonly [Json, number])[] {
  const values: unknown = JSON.parse(text);
  if (!Array.isArray(values)) throw new TypeError('no list');
  return values.map((value: Json, index) => [value, index + 1] as const);
}

function ofLines(text: string): readonly (readonly [Json, number])[] {
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [[JSON.parse(line) as Json, index + 1] as const]));
}

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

function ofCsv(text: string, delimiter: string, limit: number): ColumnTypes {
  const names: string[] = [];
  const seen: Seen[] = [];
  let first = 0;
  let count = 0;
  for (const { cells, line } of records(text, delimiter)) {
    if (names.length === 0) {
      names.push(...cells);
      seen.push(...cells.map(() => ({ integer: false, number: false, boolean: false })));
    } else {
      if (count === 0) first = line;
      for (let index = 0; index < seen.length; index += 1) note(cells[index] ?? '', seen[index]);
      count += 1;
    }
    if (count >= limit) break;
  }
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
  if (seen === undefined) return;
  const number = NUMBER.exec(cell);
  if (number === null) seen.boolean ||= BOOLEAN.test(cell);
  else if (number[1] === undefined && number[2] === undefined) seen.integer = true;
  else seen.number = true;
}

/**
 * The records of a CSV text (RFC 4180: quotes may hold delimiters, line breaks and doubled quotes); blank lines are
 * none.
 */
export function* records(
  text: string,
  delimiter: string,
): Generator<{ readonly cells: readonly string[]; readonly line: number }> {
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begin = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quoted) {
      if (character === '\n') line += 1;
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[(at += 1)] ?? '';
      else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at += 1;
      line += 1;
      if (cell !== '' || cells.length > 0) yield { cells: [...cells, cell], line: begin };
      cells = [];
      cell = '';
      begin = line;
    } else if (character === delimiter) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  if (cell !== '' || cells.length > 0) yield { cells: [...cells, cell], line: begin };
}
