import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/**
 * Values of the keys of step options that are objects, with holes to fill, the likely keys first. An editor that makes
 * the text of a key itself leaves out the colon where another one stands on the line, as one does inside braces.
 */
const OPTIONS: readonly Readonly<Record<string, Json>>[] = [
  {
    interval_s: '${1:1}',
    max_s: '${1:30}',
    max_attempts: '${1:3}',
    backoff_base_s: '${1:1}',
    backoff_cap_s: '${1:8}',
    on: '[$1]',
  },
  { name: '$1', path: '$1', match: "'$1'", secret: true },
];

/** A schema in which each object with the keys of such an option offers them with their values. */
export function withOptionKeys(schema: Json): Json {
  if (isList(schema)) return schema.map(withOptionKeys);
  if (!isObject(schema)) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withOptionKeys(value)]));
  const properties = inside['properties'];
  const values = isObject(properties) ? OPTIONS.find((keys) => hasKeys(properties, keys)) : undefined;
  return values === undefined ? inside : { ...inside, ...offering(properties as KeySchemas, values) };
}

type KeySchemas = Readonly<Record<string, JsonObject>>;

function hasKeys(properties: JsonObject, keys: Readonly<Record<string, Json>>): boolean {
  const names = Object.keys(properties);
  return names.length === Object.keys(keys).length && names.every((name) => Object.hasOwn(keys, name));
}

function offering(properties: KeySchemas, values: Readonly<Record<string, Json>>): JsonObject {
  return {
    defaultSnippets: Object.entries(values).map(([key, value]) => ({
      label: key,
      body: { [key]: value },
      description: properties[key]?.['description'] ?? '',
    })),
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, schema]) => [key, { ...schema, doNotSuggest: true }]),
    ),
  };
}
