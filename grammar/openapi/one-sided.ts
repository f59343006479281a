import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { inheritanceIn } from './inheritance.ts';
import { keywordsBeside, resolved } from './reference.ts';

/** `readOnly`: only the server sets it. `writeOnly`: only the client does. */
export type Mark = 'readOnly' | 'writeOnly';

/** Whether a property is marked as one that only one side sends, beside a reference too where that counts. */
export function isMarked(property: Json | undefined, mark: Mark, document: JsonObject): boolean {
  if (property === undefined) return false;
  const schema = resolved(property, document);
  return (isObject(schema) && schema[mark] === true) || keywordsBeside(property, document)?.[mark] === true;
}

/** A property as a schema or one of its parts declares it; undefined: none does. */
export function declaredProperty(name: string, given: Json | undefined, document: JsonObject): Json | undefined {
  const schema = resolved(given, document);
  if (!isObject(schema)) return undefined;
  for (const { properties } of inheritanceIn(document).lineOf(schema))
    if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  return undefined;
}

/** A value without the fields that the other side alone sends, at any depth. */
export function withoutMarked(value: Json, given: Json | undefined, mark: Mark, document: JsonObject): Json {
  return stripped(value, given, { mark, document }, new Set());
}

interface Marked {
  readonly mark: Mark;
  readonly document: JsonObject;
}

/** The value as schemas leave it that have not been asked of it yet. */
function stripped(value: Json, given: Json | undefined, marked: Marked, asked: Set<JsonObject>): Json {
  const schema = resolved(given, marked.document);
  if (!isObject(schema) || asked.has(schema)) return value;
  asked.add(schema);
  let left = value;
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    for (const part of Array.isArray(schema[key]) ? (schema[key] as readonly Json[]) : [])
      left = stripped(left, part, marked, asked);
  const inner = (item: Json, part: Json | undefined): Json => stripped(item, part, marked, new Set());
  if (Array.isArray(left)) return (left as readonly Json[]).map((item) => inner(item, schema['items']));
  const { properties } = schema;
  if (!isObject(left) || !isObject(properties)) return left;
  return Object.fromEntries(
    Object.entries(left).flatMap(([name, item]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return isMarked(property, marked.mark, marked.document) ? [] : [[name, inner(item, property)] as const];
    }),
  );
}
