import { isObject } from '#schemas/types/json.ts';
import type { Route, Span } from '#schemas/types/place.ts';

import { routeOf } from '../key-edits.ts';
import { NOTHING, valueAt } from '../key-path.ts';

import type { Doubt, YamlFile } from './yaml-file.ts';

/**
 * Doubts about the answer to a path: something in the value could not be read, or the object in which the path
 * ends has keys that could not be, such as a merge. None: it is certain.
 */
export function doubtsAbout({ document, value, doubts }: YamlFile, segments: readonly string[]): readonly Doubt[] {
  if (document === undefined || doubts.length === 0) return [];
  let depth = segments.length;
  while (valueAt(value, segments.slice(0, depth)) === NOTHING) depth -= 1;
  const route = routeOf(value, segments.slice(0, depth));
  const spanOf = (at: Route): Span => document.spanAt(at, 'value');
  const inside = doubts.filter(({ span }) => holds(spanOf(route), span));
  if (depth === segments.length) return inside;
  const holder = valueAt(value, segments.slice(0, depth));
  if (!isObject(holder)) return [];
  return inside.filter(({ span }) => !Object.keys(holder).some((key) => holds(spanOf([...route, key]), span)));
}

function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
