import type { Failure } from '#schemas/types/failure.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';
import { isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { NOTHING, indexIn, valueAt } from './key-path.ts';

/** One change of a value. */
export type Operation = Extract<TreeOperation, { readonly kind: 'replace' | 'insert' | 'remove' }>;

/** Failures of a family for edits that are impossible. */
export interface Refusals {
  readonly forbidden: (facts: { readonly key: string }) => Failure;
  readonly keyInList: (facts: { readonly key: string; readonly at: string }) => Failure;
  readonly outOfRange: (facts: { readonly index: number; readonly at: string; readonly length: number }) => Failure;
}

/** Keys that many programs take for more than a key. */
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The one change that sets a value: missing objects on the way are part of what is put in. */
export function setting(document: Json, segments: readonly string[], value: Json, refuse: Refusals): Operation {
  const bad = segments.find((segment) => forbidden.has(segment));
  if (bad !== undefined) throw refuse.forbidden({ key: bad });
  let current = document;
  const route: (string | number)[] = [];
  for (const [depth, segment] of segments.entries()) {
    const rest = (): Json => segments.slice(depth + 1).reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    if (Array.isArray(current)) {
      const index = placeIn(current, segment, route, refuse);
      if (index === current.length) return { kind: 'insert', route, key: index, value: rest() };
      route.push(index);
      current = current[index] as Json;
    } else if (isObject(current)) {
      if (!Object.hasOwn(current, segment)) return { kind: 'insert', route, key: segment, value: rest() };
      route.push(segment);
      current = (current as Readonly<Record<string, Json>>)[segment] as Json;
    } else {
      return { kind: 'replace', route, value: { [segment]: rest() } };
    }
  }
  return { kind: 'replace', route, value };
}

function placeIn(list: readonly Json[], segment: string, route: Route, refuse: Refusals): number {
  const at = route.join('.') || '.';
  const index = indexIn(list, segment);
  if (index === undefined) throw refuse.keyInList({ key: segment, at });
  if (index < 0 || index > list.length) throw refuse.outOfRange({ index: Number(segment), at, length: list.length });
  return index;
}

/** The change that removes a value; undefined where there is none. */
export function removing(document: Json, segments: readonly string[]): Operation | undefined {
  if (valueAt(document, segments) === NOTHING) return undefined;
  return { kind: 'remove', route: routeOf(document, segments) };
}

/** The place of a value that is there, with indexes counted from the start. */
export function routeOf(document: Json, segments: readonly string[]): Route {
  return segments.map((segment, depth) => {
    const holder = valueAt(document, segments.slice(0, depth));
    return Array.isArray(holder) ? (indexIn(holder, segment) ?? segment) : segment;
  });
}
