/** A source by its path from the project root, with `/` on every platform; `<stdin>` for standard input. */
export type SourceId = string;

/** The way from the top of a document to one value: keys of objects, indexes of lists. */
export type Route = readonly (string | number)[];

/** A half-open range of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A point as people count it: from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}
