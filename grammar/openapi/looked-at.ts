import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { keywordsBeside, resolved } from './reference.ts';
import { fitsPattern } from './text-forms.ts';

interface Around {
  readonly document: JsonObject;
  readonly fits: (value: Json, schema: Json) => boolean;
}

/**
 * Names of the fields, or numbers of the elements, that the keywords of a schema looked at: what is left is what
 * `unevaluatedProperties` and `unevaluatedItems` beside them judge.
 */
export function lookedAt(value: Json, schema: JsonObject, around: Around): ReadonlySet<string> {
  const { unevaluatedProperties: _fields, unevaluatedItems: _items, ...others } = schema;
  const seen = new Set<string>();
  look(value, others, around, { seen, asked: new Set() });
  return seen;
}

interface Looking {
  readonly seen: Set<string>;
  /** Schemas that have been asked: they lead to the same again. */
  readonly asked: Set<JsonObject>;
}

function look(value: Json, given: Json | undefined, around: Around, looking: Looking): void {
  const schema = resolved(given, around.document);
  if (!isObject(schema)) return;
  if (!looking.asked.has(schema)) lookInto(value, schema, around, looking);
  const beside = keywordsBeside(given, around.document);
  if (beside) look(value, beside, around, looking);
}

function lookInto(value: Json, schema: JsonObject, around: Around, looking: Looking): void {
  const { seen, asked } = looking;
  asked.add(schema);
  for (const key of isObject(value) ? fieldsOf(value, schema) : elementsOf(value, schema, around)) seen.add(key);
  for (const part of applied(value, schema, around)) look(value, part, around, looking);
}

function fieldsOf(value: JsonObject, schema: JsonObject): readonly string[] {
  const names = Object.keys(value);
  if (schema['additionalProperties'] !== undefined || schema['unevaluatedProperties'] !== undefined) return names;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const patterns = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  return names.filter(
    (name) => Object.hasOwn(properties, name) || patterns.some((pattern) => fitsPattern(name, pattern)),
  );
}

function elementsOf(value: Json, schema: JsonObject, { fits }: Around): readonly string[] {
  if (!Array.isArray(value)) return [];
  const elements = (value as readonly Json[]).map((item, index) => [String(index), item] as const);
  const { items, unevaluatedItems, prefixItems, contains } = schema;
  const isAll = items !== undefined || unevaluatedItems !== undefined;
  const first = Array.isArray(prefixItems) ? prefixItems.length : 0;
  return elements
    .filter(([key, item]) => isAll || Number(key) < first || (contains !== undefined && fits(item, contains)))
    .map(([key]) => key);
}

/** The schemas inside a schema that take the same value. */
function applied(value: Json, schema: JsonObject, { fits }: Around): readonly Json[] {
  const list = (key: string): readonly Json[] => (Array.isArray(schema[key]) ? (schema[key] as readonly Json[]) : []);
  const { if: condition, then: yes = true, else: no = true, dependentSchemas: held } = schema;
  const branch = condition === undefined ? [] : fits(value, condition) ? [condition, yes] : [no];
  const beside = isObject(held) && isObject(value) ? Object.entries(held) : [];
  return [
    ...list('allOf'),
    ...[...list('anyOf'), ...list('oneOf')].filter((part) => fits(value, part)),
    ...branch,
    ...beside.filter(([name]) => Object.hasOwn(value as JsonObject, name)).map(([, part]) => part),
  ];
}
