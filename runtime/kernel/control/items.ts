import * as fail from '#schemas/generated/failures.ts';
import { MOST_ITERATIONS, rangeLength } from '#schemas/types/range.ts';

import { typeName } from '../values/type-name.ts';
import { numberOf, type Header } from './header.ts';

/** Elements of a loop: none is made before its turn comes. */
export interface Items {
  readonly count: number;
  at(index: number): unknown;
}

/** The items of a list, of an object (`{key, value}`), or of a range. */
export function itemsOf(word: string, header: Header): Items {
  const items = 'from' in header ? rangeOf(word, header) : heldBy(header['for_each']);
  if (items.count > MOST_ITERATIONS) throw fail.loopDoesNotEnd({ limit: MOST_ITERATIONS });
  return items;
}

function rangeOf(word: string, header: Header): Items {
  const from = numberOf(word, header, 'from') ?? 0;
  const to = numberOf(word, header, 'to') ?? 0;
  const step = numberOf(word, header, 'step') ?? (to < from ? -1 : 1);
  if (step === 0) throw fail.controlValueUnfit({ word, key: 'step', expected: 'a number other than 0', actual: '0' });
  return { count: rangeLength(from, to, step), at: (index) => from + index * step };
}

function heldBy(value: unknown): Items {
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    return { count: list.length, at: (index) => list[index] };
  }
  if (typeName(value) !== 'an object') throw fail.loopValueUnfit({ type: typeName(value) });
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return { count: entries.length, at: (index) => ({ key: entries[index]?.[0], value: entries[index]?.[1] }) };
}
