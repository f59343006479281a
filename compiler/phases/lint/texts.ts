import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { ResolvedCall } from './rule.ts';

/** Stands in a text for a reference: what the run puts there is not known. */
export const REFERENCE = '\ufffc';

/** A text as messages show it. */
export function shown(text: string): string {
  return text.replaceAll(REFERENCE, '…');
}

/** A text inside a parameter, and the way to it from the parameter's value. */
export interface FoundText {
  readonly text: string;
  readonly path: Route;
}

/** Every text of a value, those with references too; steps inside are left out, they are calls of their own. */
export function* textsOf(value: Value, path: Route = []): Generator<FoundText> {
  if ('lit' in value) yield* literalTexts(value.lit, path);
  else if ('text' in value)
    yield { text: value.text.map((part) => (typeof part === 'string' ? part : REFERENCE)).join(''), path };
  else if ('ref' in value) yield { text: REFERENCE, path };
  else if ('list' in value) for (const [index, item] of value.list.entries()) yield* textsOf(item, [...path, index]);
  else if ('map' in value) for (const [key, item] of value.map) yield* textsOf(item, [...path, key]);
}

/** Every text of a plain value. */
export function* literalTexts(value: Json, path: Route = []): Generator<FoundText> {
  if (typeof value === 'string') yield { text: value, path };
  else if (isList(value)) for (const [index, item] of value.entries()) yield* literalTexts(item, [...path, index]);
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) yield* literalTexts(item, [...path, key]);
}

/** The place of something inside a parameter. */
export function insideArgument(call: ResolvedCall, parameter: string, path: Route): Label {
  const at = call.argumentAt(parameter);
  return { ...at, route: [...at.route, ...path] };
}
