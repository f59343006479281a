import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { equalJson } from '../../equal-json.ts';

export interface Difference {
  /** JSON pointer. */
  readonly at: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly expected?: Json;
  readonly actual?: Json;
}

/** Path by path what differs, in the order of the expected value; what is only in the actual one comes after. */
export function diffJson(expected: Json, actual: Json, at = ''): Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual))
    return diffEntries(listEntries(expected as Json[]), listEntries(actual as Json[]), at);
  if (isObject(expected) && isObject(actual))
    return diffEntries(new Map(Object.entries(expected)), new Map(Object.entries(actual)), at);
  return equalJson(expected, actual) ? [] : [{ at, kind: 'changed', expected, actual }];
}

function diffEntries(expected: ReadonlyMap<string, Json>, actual: ReadonlyMap<string, Json>, at: string): Difference[] {
  const differences: Difference[] = [];
  for (const [key, value] of expected) {
    const place = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const other = actual.get(key);
    if (other === undefined) differences.push({ at: place, kind: 'removed', expected: value });
    else differences.push(...diffJson(value, other, place));
  }
  for (const [key, value] of actual)
    if (!expected.has(key))
      differences.push({
        at: `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        kind: 'added',
        actual: value,
      });
  return differences;
}

function listEntries(list: readonly Json[]): ReadonlyMap<string, Json> {
  return new Map(list.map((value, index) => [String(index), value]));
}
