import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { documentOf, type Located, type Sources } from './locate.ts';

/**
 * Key of the step that a finding is in, which stays the same when the step moves: its id, or its command and
 * arguments. The key of a finding outside of steps is its route. `known` keeps texts that were written out once.
 */
export function stepKey({ diagnostic, primary }: Located, sources: Sources, known: Map<Json, string>): string {
  const { route } = diagnostic.primary;
  const document = documentOf(diagnostic, sources.get(primary.source));
  const element = elementOf(route);
  if (document === undefined || element === undefined) return JSON.stringify(route);
  const step = at(document.value, element);
  const id = idOf(step);
  if (id !== undefined) return `#${id}`;
  if (!isObject(step) && !isList(step)) return JSON.stringify(step ?? route);
  // A step of a megabyte may have as many findings as it has conditions.
  const key = known.get(step) ?? JSON.stringify(step);
  known.set(step, key);
  return key;
}

/** The way to the element of a top-level list that a route leads into. */
function elementOf(route: Route): Route | undefined {
  const index = route.findIndex((piece) => typeof piece === 'number');
  return index === 0 || (index === 1 && route[0] !== 'meta') ? route.slice(0, index + 1) : undefined;
}

function at(top: Json, route: Route): Json | undefined {
  let value: Json | undefined = top;
  for (const piece of route) value = isList(value) ? value[Number(piece)] : isObject(value) ? value[piece] : undefined;
  return value;
}

function idOf(step: Json | undefined): string | undefined {
  const places = isList(step) ? step.slice(1) : [step];
  for (const place of places) if (isObject(place) && typeof place['id'] === 'string') return place['id'];
  return undefined;
}
