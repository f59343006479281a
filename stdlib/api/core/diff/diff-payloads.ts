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
  const diff: PayloadDiff = { added: {}, removed: {}, changed: {} };
  compare(left, right, '', { diff, ignored: new Set(ignored) });
  return diff;
}

interface Comparison {
  readonly diff: PayloadDiff;
  readonly ignored: ReadonlySet<string>;
}

function compare(left: Json, right: Json, path: string, comparison: Comparison): void {
  const { diff } = comparison;
  const [before, after] = [entriesOf(left, path), entriesOf(right, path)];
  if (!before || !after || Array.isArray(left) !== Array.isArray(right)) {
    if (!equalJson(left, right)) diff.changed[path || '<root>'] = [left, right];
    return;
  }
  for (const [place, value] of before) {
    if (comparison.ignored.has(place)) continue;
    const other = after.get(place);
    if (other === undefined) diff.removed[place] = value;
    else compare(value, other, place, comparison);
  }
  for (const [place, value] of after)
    if (!before.has(place) && !comparison.ignored.has(place)) diff.added[place] = value;
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
