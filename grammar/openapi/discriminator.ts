import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { referenceOf } from './reference.ts';

/**
 * The alternative that a value names by its discriminator; `none` where a mapping knows no such name; undefined: all
 * alternatives have to be tried, as where names are told apart by the alternatives themselves.
 */
export function chosenAlternative(
  value: Json,
  alternatives: readonly Json[],
  discriminator: Json | undefined,
): JsonObject | 'none' | undefined {
  if (!isObject(value) || !isObject(discriminator ?? null) || alternatives.length === 0) return undefined;
  const { propertyName, mapping } = discriminator as JsonObject;
  const name = typeof propertyName === 'string' ? value[propertyName] : undefined;
  if (typeof name !== 'string') return undefined;
  const mapped = isObject(mapping ?? null) ? (mapping as JsonObject) : {};
  const target = Object.hasOwn(mapped, name) ? mapped[name] : undefined;
  if (typeof target === 'string') return { $ref: /[/#.]/.test(target) ? target : `#/components/schemas/${target}` };
  const named = alternatives.find((one) => referenceOf(one)?.split('/').at(-1) === name);
  if (named !== undefined) return named as JsonObject;
  return Object.keys(mapped).length > 0 ? 'none' : undefined;
}
