import type { Parameter } from '#schemas/types/command.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

/** A value that fits a parameter; steps are steps. */
export function sample({ schema, list }: Parameter): Json {
  return list === 'run' || list === 'background'
    ? schema['type'] === 'array'
      ? []
      : [['AT_get_variable', ['x']]]
    : sampleOf(schema);
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  email: 'a@example.org',
  hostname: 'example.org',
  uri: 'https://example.org/x',
  uuid: '01234567-89ab-4def-8123-456789abcdef',
  'module-ref': './helpers.ts#start',
  'element-ref': 'field',
  'session-ref': 'main',
};
/** Texts that fit the patterns of declarations; the first that fits is taken. */
const texts = [
  'abc',
  '* * * * *',
  'get',
  '/',
  '/a',
  '/a.B/c',
  '127.0.0.1:80',
  'https://example.org',
  'http://127.0.0.1',
  'wss://example.org',
  '1/2',
  'https',
  'INFO',
  'a1',
  '0a1b',
  'A',
  '1.2.3',
  '{"a":1}',
  'a/b',
  '1',
  'us',
  '#1',
  '0'.repeat(64),
];

function sampleOf(schema: JsonObject): Json {
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return (schema['enum'] as readonly Json[])[0] ?? null;
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(branches)) return sampleOf((branches as readonly JsonObject[])[0] ?? {});
  const type = Array.isArray(schema['type']) ? (schema['type'] as readonly string[])[0] : schema['type'];
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return number(schema, type);
    case 'array':
      return array(schema);
    case 'object':
      return object(schema);
    default:
      return text(schema);
  }
}

function number(schema: JsonObject, type: string): number {
  const least =
    schema['minimum'] ??
    (typeof schema['exclusiveMinimum'] === 'number'
      ? schema['exclusiveMinimum'] + (type === 'integer' ? 1 : 0.5)
      : undefined);
  const most = schema['maximum'];
  return Number(least ?? (typeof most === 'number' ? Math.min(most, 1) : 1));
}

function text(schema: JsonObject): string {
  if (typeof schema['format'] === 'string' && schema['pattern'] === undefined)
    return formats[schema['format']] ?? 'abc';
  const { pattern, minLength: least = 0, maxLength: most = Infinity } = schema;
  const fits = (one: string): boolean =>
    one.length >= Number(least) &&
    one.length <= Number(most) &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(one));
  const found = [...texts, 'x'.repeat(Number(least))].find(fits);
  if (found === undefined) throw new Error(`no sample text fits ${JSON.stringify(schema)}`);
  return found;
}

function array(schema: JsonObject): Json {
  const places = ((schema['prefixItems'] ?? []) as readonly JsonObject[]).map(sampleOf);
  const item = schema['items'];
  const missing = Math.max(0, Number(schema['minItems'] ?? 0) - places.length);
  const more = Array.from({ length: missing }, (_, index) =>
    item !== undefined && isObject(item) ? distinct(sampleOf(item), index) : index,
  );
  return [...places.slice(0, Number(schema['maxItems'] ?? Infinity)), ...more];
}

function distinct(value: Json, index: number): Json {
  return typeof value === 'number' ? value + index : value;
}

function object(schema: JsonObject): Json {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const entries = ((schema['required'] ?? []) as readonly string[]).map(
    (name) => [name, sampleOf(properties[name] ?? {})] as const,
  );
  const names = schema['propertyNames'];
  const missing = Math.max(0, Number(schema['minProperties'] ?? 0) - entries.length);
  const free = Object.keys(properties).filter((name) => !entries.some(([taken]) => taken === name));
  const more = Array.from({ length: missing }, (_, index): readonly [string, Json] => {
    const name = free[index] ?? (names !== undefined && isObject(names) ? text(names) : `k${index}`);
    const values = properties[name] ?? schema['additionalProperties'] ?? {};
    return [name, isObject(values) ? sampleOf(values) : 'v'];
  });
  return Object.fromEntries([...entries, ...more]);
}
