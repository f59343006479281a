import * as fail from '#schemas/generated/failures.ts';

import type { Table } from './table.ts';

export interface FilterParams {
  readonly src: string;
  readonly columns: readonly string[] | null;
  readonly where_column: string | null;
  readonly where_equals: string | null;
}

export interface Filter {
  /** Places of the columns that are kept, in the order in which they are written. */
  readonly kept: readonly number[];
  readonly test: { readonly at: number; readonly equals: string } | undefined;
}

export function filterOf(names: readonly string[], { src, columns, where_column, where_equals }: FilterParams): Filter {
  const places = new Map(names.map((name, index) => [name, index]));
  const placeOf = (column: string): number => {
    const at = places.get(column);
    if (at === undefined) throw fail.csvColumnUnknown({ path: src, column, expected: [...names] });
    return at;
  };
  if ((where_column === null) !== (where_equals === null)) throw fail.csvTestHalf({});
  return {
    kept: columns === null ? names.map((_, index) => index) : columns.map(placeOf),
    test:
      where_column === null || where_equals === null ? undefined : { at: placeOf(where_column), equals: where_equals },
  };
}

/** The header and the rows that pass; a short row has empty cells at its end. */
export async function* filtered(
  { columns, rows }: Table,
  { kept, test }: Filter,
): AsyncGenerator<readonly string[], void> {
  yield kept.map((at) => columns[at] ?? '');
  for await (const cells of rows) {
    if (test === undefined || (cells[test.at] ?? '') === test.equals) yield kept.map((at) => cells[at] ?? '');
  }
}
