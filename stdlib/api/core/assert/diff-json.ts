import { addAll } from '#grammar/source/add-all.ts';
import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { equalJson } from '../../equal-json.ts';

export interface Difference {
  readonly at: Route;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Absent where it was added. */
  readonly expected?: Json;
  /** Absent where it was removed. */
  readonly actual?: Json;
}

/** Path by path what differs, in the order of the expected value; what is only in the actual one comes after. */
export function diffJson(expected: Json, actual: Json, at: Route = []): Difference[] {
  const [wanted, found] = [entriesOf(expected), entriesOf(actual)];
  if (!wanted || !found || Array.isArray(expected) !== Array.isArray(actual))
    return equalJson(expected, actual) ? [] : [{ at, kind: 'changed', expected, actual }];
  const differences: Difference[] = [];
  for (const [key, value] of wanted) {
    const other = found.get(key);
    if (other === undefined) differences.push({ at: [...at, key], kind: 'removed', expected: value });
    else addAll(differences, diffJson(value, other, [...at, key]));
  }
  for (const [key, value] of found)
    if (!wanted.has(key)) differences.push({ at: [...at, key], kind: 'added', actual: value });
  return differences;
}

/** A route as JSON pointer. */
export function pointerOf(route: Route): string {
  return route.map((piece) => `/${String(piece).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Values inside a value by key or index; undefined: there are none. */
function entriesOf(value: Json): ReadonlyMap<string | number, Json> | undefined {
  if (Array.isArray(value)) return new Map((value as readonly Json[]).entries());
  return isObject(value) ? new Map(Object.entries(value)) : undefined;
}
