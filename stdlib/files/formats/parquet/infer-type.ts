import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

export type ParquetColumn = Parameters<Ports['parquet']['write']>[1]['columns'][number];
export type ParquetType = ParquetColumn['type'];

/** Type of the values so far; `nothing` where all of them were null. */
type Seen =
  | { readonly kind: 'nothing' | 'text' | 'boolean' | 'integer' | 'number' }
  | { readonly kind: 'list'; readonly of: Seen }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, Seen> };

/** Words for failures. */
const words: Readonly<Record<Seen['kind'], string>> = {
  nothing: 'null',
  text: 'text',
  boolean: 'a truth value',
  integer: 'a number',
  number: 'a number',
  list: 'a list',
  struct: 'an object',
};

/** The type that holds all values of a column exactly. Fails where there is none. */
export function inferType(column: string, values: Iterable<Json>): ParquetType {
  let seen: Seen = { kind: 'nothing' };
  let row = 0;
  for (const value of values) {
    row += 1;
    seen = joined(seen, look(value, { column, row }), { column, row });
  }
  return settled(seen);
}

interface Place {
  readonly column: string;
  readonly row: number;
}

function look(value: Json, place: Place): Seen {
  if (value === null) return { kind: 'nothing' };
  if (typeof value === 'string') return { kind: 'text' };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  // Minus zero is whole, and no integer keeps its sign.
  if (typeof value === 'number')
    return { kind: Number.isSafeInteger(value) && !Object.is(value, -0) ? 'integer' : 'number' };
  if (!isObject(value)) {
    const of = value.reduce<Seen>((seen, one) => joined(seen, look(one, place), place), { kind: 'nothing' });
    return { kind: 'list', of };
  }
  return { kind: 'struct', fields: new Map(Object.entries(value).map(([name, one]) => [name, look(one, place)])) };
}

function joined(one: Seen, other: Seen, place: Place): Seen {
  if (one.kind === 'nothing') return other;
  if (other.kind === 'nothing') return one;
  if (one.kind === 'list' && other.kind === 'list') return { kind: 'list', of: joined(one.of, other.of, place) };
  if (one.kind === 'struct' && other.kind === 'struct')
    return { kind: 'struct', fields: joinedFields(one.fields, other.fields, place) };
  if (one.kind === other.kind) return one;
  if (isNumeric(one) && isNumeric(other)) return { kind: 'number' };
  throw fail.parquetMixedTypes({ ...place, found: words[other.kind], earlier: words[one.kind] });
}

function joinedFields(
  one: ReadonlyMap<string, Seen>,
  other: ReadonlyMap<string, Seen>,
  place: Place,
): ReadonlyMap<string, Seen> {
  const all = new Map(one);
  for (const [name, seen] of other) all.set(name, joined(all.get(name) ?? { kind: 'nothing' }, seen, place));
  return all;
}

function isNumeric({ kind }: Seen): boolean {
  return kind === 'integer' || kind === 'number';
}

function settled(seen: Seen): ParquetType {
  switch (seen.kind) {
    case 'nothing':
      return { kind: 'text' };
    case 'list':
      return { kind: 'list', of: settled(seen.of) };
    case 'struct':
      // The format knows no group without members.
      return seen.fields.size === 0
        ? { kind: 'json' }
        : { kind: 'struct', fields: [...seen.fields].map(([name, of]) => ({ name, type: settled(of) })) };
    default:
      return { kind: seen.kind };
  }
}
