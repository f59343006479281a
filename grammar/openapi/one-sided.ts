import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { keywordsBeside, resolved } from './reference.ts';

/** `readOnly`: only the server sets it. `writeOnly`: only the client does. */
export type Mark = 'readOnly' | 'writeOnly';

const DEEPEST = 32;

/** Whether a property is marked as one that only one side sends, beside a reference too where that counts. */
export function isMarked(property: Json | undefined, mark: Mark, document: JsonObject): boolean {
  if (property === undefined) return false;
  const schema = resolved(property, document);
  return (isObject(schema) && schema[mark] === true) || keywordsBeside(property, document)?.[mark] === true;
}

/** A property as a schema or one of its parts declares it; undefined: none does. */
export function declaredProperty(
  name: string,
  given: Json | undefined,
  document: JsonObject,
  depth = 0,
): Json | undefined {
  const schema = resolved(given, document);
  if (!isObject(schema) || depth > DEEPEST) return undefined;
  const { properties, allOf } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  for (const part of Array.isArray(allOf) ? (allOf as readonly Json[]) : []) {
    const found = declaredProperty(name, part, document, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A value without the fields that the other side alone sends, at any depth. */
export function withoutMarked(value: Json, given: Json | undefined, mark: Mark, document: JsonObject, depth = 0): Json {
  const schema = resolved(given, document);
  if (!isObject(schema) || depth > DEEPEST) return value;
  const inner = (item: Json, part: Json | undefined): Json => withoutMarked(item, part, mark, document, depth + 1);
  let left = value;
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    for (const part of Array.isArray(schema[key]) ? (schema[key] as readonly Json[]) : []) left = inner(left, part);
  if (Array.isArray(left)) return (left as readonly Json[]).map((item) => inner(item, schema['items']));
  const { properties } = schema;
  if (!isObject(left) || !isObject(properties)) return left;
  return Object.fromEntries(
    Object.entries(left).flatMap(([name, item]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return isMarked(property, mark, document) ? [] : [[name, inner(item, property)] as const];
    }),
  );
}
