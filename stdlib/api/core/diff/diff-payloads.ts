import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { equalJson } from '../../equal-json.ts';

export interface PayloadDiff {
  readonly added: Record<string, Json>;
  readonly removed: Record<string, Json>;
  /** Left and right value. */
  readonly changed: Record<string, [left: Json, right: Json]>;
}

/**
 * Differences of two JSON values, by dotted path, in the order of the left value. Ignored places cover what is
 * below them.
 */
export function diffPayloads(left: Json, right: Json, ignored: readonly string[] = []): PayloadDiff {
  const found: Comparison = { added: [], removed: [], changed: [], ignored: new Set(ignored) };
  compare(left, right, '', found);
  // Not by assignment: a key may be `__proto__`.
  return {
    added: Object.fromEntries(found.added),
    removed: Object.fromEntries(found.removed),
    changed: Object.fromEntries(found.changed),
  };
}

interface Comparison {
  readonly added: [path: string, value: Json][];
  readonly removed: [path: string, value: Json][];
  readonly changed: [path: string, values: [left: Json, right: Json]][];
  readonly ignored: ReadonlySet<string>;
}

function compare(left: Json, right: Json, path: string, comparison: Comparison): void {
  const [before, after] = [entriesOf(left, path), entriesOf(right, path)];
  if (!before || !after || Array.isArray(left) !== Array.isArray(right)) {
    if (!equalJson(left, right)) comparison.changed.push([path || '<root>', [left, right]]);
    return;
  }
  for (const [place, value] of before) {
    if (comparison.ignored.has(place)) continue;
    const other = after.get(place);
    if (other === undefined) comparison.removed.push([place, value]);
    else compare(value, other, place, comparison);
  }
  for (const [place, value] of after)
    if (!before.has(place) && !comparison.ignored.has(place)) comparison.added.push([place, value]);
}

/** Values inside a value, by their path; undefined: there are none. */
function entriesOf(value: Json, path: string): ReadonlyMap<string, Json> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item: Json, index) => [`${path}[${index}]`, item]));
  if (!isObject(value)) return undefined;
  return new Map(Object.entries(value).map(([key, item]) => [keyPath(path, key), item]));
}

/** A route as a path is written here. */
export function writePath(route: Route): string {
  return route.reduce<string>(
    (path, piece) => (typeof piece === 'number' ? `${path}[${piece}]` : keyPath(path, piece)),
    '',
  );
}

/** A key that is no plain name stands quoted in brackets, as paths into values are written everywhere. */
function keyPath(path: string, key: string): string {
  if (key === '' || /[.[\]]/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
