import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/**
 * Values of the keys of `meta` and of step options that are objects, with holes to fill, the likely keys first. An
 * editor that makes the text of a key itself leaves out the colon where another one stands on the line, as one does
 * inside braces.
 */
const OBJECTS: readonly Readonly<Record<string, Json>>[] = [
  {
    interval_s: '${1:1}',
    max_s: '${1:30}',
    max_attempts: '${1:3}',
    backoff_base_s: '${1:1}',
    backoff_cap_s: '${1:8}',
    on: '[$1]',
  },
  { name: '$1', path: '$1', match: "'$1'", secret: true },
  {
    ...{ name: '$1', description: '$1', tags: '[$1]', depends_on: '[$1]' },
    ...{ inputs: '{ $1 }', dataset: '$1', env: '$1', base_url: '$1' },
    ...{ on_failure: '${1|stop,continue|}', retry: '{ interval_s: ${1:1}, max_s: ${2:30} }', timeout_s: '${1:300}' },
    ...{ secrets: '[$1]', defaults: '{ $1 }', modules: '[$1]', matrix: '{ $1 }', returns: '[$1]', locks: '[$1]' },
    env_keys: '[$1]',
    ...{ sessions: '[${1|playwright,webdriver|}]', openapi: '$1', lint: '{ $1 }' },
    ...{ fail_fast: '${1|false,true|}', max_workers: '${1:4}', run_for_s: '${1:60}', seed: '${1:1}' },
    requires: '"${1:1.0}"',
  },
];

/** A schema in which each object with the keys of such an option offers them with their values. */
export function withOptionKeys(schema: Json): Json {
  if (isList(schema)) return schema.map(withOptionKeys);
  if (!isObject(schema)) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withOptionKeys(value)]));
  const properties = inside['properties'];
  const values = isObject(properties) ? OBJECTS.find((keys) => hasKeys(properties, keys)) : undefined;
  return values === undefined ? inside : { ...inside, ...offering(properties as KeySchemas, values) };
}

type KeySchemas = Readonly<Record<string, JsonObject>>;

function hasKeys(properties: JsonObject, keys: Readonly<Record<string, Json>>): boolean {
  const names = Object.keys(properties);
  return names.length === Object.keys(keys).length && names.every((name) => Object.hasOwn(keys, name));
}

/** An editor reads nothing that stands beside a `$ref`. */
function unsuggested(schema: JsonObject): JsonObject {
  const { $ref, ...rest } = schema;
  return $ref === undefined ? { ...schema, doNotSuggest: true } : { ...rest, allOf: [{ $ref }], doNotSuggest: true };
}

function offering(properties: KeySchemas, values: Readonly<Record<string, Json>>): JsonObject {
  return {
    defaultSnippets: Object.entries(values).map(([key, value]) => ({
      label: key,
      body: { [key]: value },
      description: properties[key]?.['description'] ?? '',
    })),
    properties: Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, unsuggested(schema)])),
  };
}
