import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { resolved } from './reference.ts';
import { fitsFormat, fitsPattern } from './text-forms.ts';

export interface SchemaCheck {
  readonly document: JsonObject;
  /**
   * Direction of the value: a `readOnly` property is not asked for in a request, a `writeOnly` one not in an
   * answer.
   */
  readonly direction: 'request' | 'response';
}

/** Stands for secrets in records. */
export const HIDDEN = '***';

/** A schema inside schemas inside values: deeper ones are not judged. */
const DEEPEST = 128;

/**
 * Reasons why a value does not fit a schema of an OpenAPI document, each with its path; empty: it fits. Unknown
 * keywords never matter.
 */
export function schemaFindings(
  value: Json,
  schema: Json | undefined,
  check: SchemaCheck,
  path = '$',
): readonly string[] {
  return findings(value, schema, check, { path, depth: 0 });
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

function findings(value: Json, given: Json | undefined, check: SchemaCheck, { path, depth }: Place): readonly string[] {
  // Hidden in records: nobody knows what stood here.
  if (typeof value === 'string' && value.includes(HIDDEN)) return [];
  const schema = resolved(given, check.document);
  if (schema === false) return [`${path}: nothing is allowed here`];
  if (!isObject(schema) || depth > DEEPEST) return [];
  const place = { path, depth: depth + 1 };
  if (value === null && schema['nullable'] === true) return [];
  const wrongType = typeFinding(value, schema, path);
  if (wrongType !== undefined) return [wrongType];
  return [
    ...constantFindings(value, schema, path),
    ...(typeof value === 'number' ? numberFindings(value, schema, path) : []),
    ...(typeof value === 'string' ? textFindings(value, schema, path) : []),
    ...(Array.isArray(value) ? listFindings(value, schema, check, place) : []),
    ...(isObject(value) ? objectFindings(value, schema, check, place) : []),
    ...combinedFindings(value, schema, check, place),
  ];
}

function typeFinding(value: Json, schema: JsonObject, path: string): string | undefined {
  const { type } = schema;
  const types = Array.isArray(type) ? (type as readonly Json[]) : type === undefined ? [] : [type];
  if (types.length === 0 || types.some((name) => isOfType(value, name))) return undefined;
  return `${path}: expected ${types.join(' or ')}, got ${typeName(value)}`;
}

function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    // Version 2.0 calls an upload a file; other words mean nothing.
    default:
      return true;
  }
}

/** The JSON type of a value, as messages name it. */
export function typeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function constantFindings(value: Json, schema: JsonObject, path: string): readonly string[] {
  const found: string[] = [];
  if (Array.isArray(schema['enum']) && !schema['enum'].some((one: Json) => isSame(one, value)))
    found.push(`${path}: ${shown(value)} is none of ${shown(schema['enum'])}`);
  if (Object.hasOwn(schema, 'const') && !isSame(schema['const'] ?? null, value))
    found.push(`${path}: ${shown(value)} is not ${shown(schema['const'] ?? null)}`);
  return found;
}

function numberFindings(value: number, schema: JsonObject, path: string): readonly string[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: step } = schema;
  const found: string[] = [];
  // Version 3.0 says with true that the limit itself is not allowed, later ones name another limit.
  if (typeof minimum === 'number' && (above === true ? value <= minimum : value < minimum))
    found.push(`${path}: ${value} is less than ${minimum}`);
  if (typeof maximum === 'number' && (below === true ? value >= maximum : value > maximum))
    found.push(`${path}: ${value} is more than ${maximum}`);
  if (typeof above === 'number' && value <= above) found.push(`${path}: ${value} is not more than ${above}`);
  if (typeof below === 'number' && value >= below) found.push(`${path}: ${value} is not less than ${below}`);
  if (typeof step === 'number' && step > 0 && Math.abs(value / step - Math.round(value / step)) > 1e-9)
    found.push(`${path}: ${value} is no multiple of ${step}`);
  return found;
}

function textFindings(value: string, schema: JsonObject, path: string): readonly string[] {
  const { minLength, maxLength, pattern, format } = schema;
  const length = [...value].length;
  if (typeof minLength === 'number' && length < minLength) return [`${path}: shorter than ${minLength} signs`];
  if (typeof maxLength === 'number' && length > maxLength) return [`${path}: longer than ${maxLength} signs`];
  if (typeof pattern === 'string' && !fitsPattern(value, pattern))
    return [`${path}: ${shown(value)} does not match /${pattern}/`];
  if (typeof format === 'string' && !fitsFormat(value, format)) return [`${path}: ${shown(value)} is no ${format}`];
  return [];
}

function listFindings(value: readonly Json[], schema: JsonObject, check: SchemaCheck, place: Place): readonly string[] {
  const { minItems, maxItems, uniqueItems, items, prefixItems } = schema;
  const { path } = place;
  const found: string[] = [];
  if (typeof minItems === 'number' && value.length < minItems) found.push(`${path}: fewer than ${minItems} elements`);
  if (typeof maxItems === 'number' && value.length > maxItems) found.push(`${path}: more than ${maxItems} elements`);
  if (uniqueItems === true && new Set(value.map(canonical)).size < value.length)
    found.push(`${path}: the same element twice`);
  const first = Array.isArray(prefixItems) ? (prefixItems as readonly Json[]) : [];
  for (const [index, item] of value.entries())
    found.push(...findings(item, first[index] ?? items, check, { ...place, path: `${path}[${index}]` }));
  return found;
}

function objectFindings(value: JsonObject, schema: JsonObject, check: SchemaCheck, place: Place): readonly string[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const patterns = isObject(schema['patternProperties']);
  const { additionalProperties: others, required, minProperties, maxProperties } = schema;
  const found: string[] = [];
  for (const name of Array.isArray(required) ? (required as readonly Json[]) : []) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue;
    if (!isLeftOut(properties[name], check)) found.push(`${place.path}: "${name}" is missing`);
  }
  const count = Object.keys(value).length;
  if (typeof minProperties === 'number' && count < minProperties)
    found.push(`${place.path}: fewer than ${minProperties} fields`);
  if (typeof maxProperties === 'number' && count > maxProperties)
    found.push(`${place.path}: more than ${maxProperties} fields`);
  for (const [name, item] of Object.entries(value)) {
    const at = { ...place, path: `${place.path}.${name}` };
    if (Object.hasOwn(properties, name)) found.push(...findings(item, properties[name], check, at));
    else if (others === false && !patterns) found.push(`${at.path}: is not declared`);
    else if (isObject(others ?? null) && !patterns) found.push(...findings(item, others, check, at));
  }
  return found;
}

/** Whether a property is not asked for, because only the other side sets or reads it. */
function isLeftOut(given: Json | undefined, { document, direction }: SchemaCheck): boolean {
  const schema = resolved(given, document);
  return isObject(schema) && schema[direction === 'request' ? 'readOnly' : 'writeOnly'] === true;
}

function combinedFindings(value: Json, schema: JsonObject, check: SchemaCheck, place: Place): readonly string[] {
  const found: string[] = [];
  const list = (key: string): readonly Json[] => (Array.isArray(schema[key]) ? (schema[key] as readonly Json[]) : []);
  for (const part of list('allOf')) found.push(...findings(value, part, check, place));
  for (const key of ['anyOf', 'oneOf']) {
    const parts = list(key);
    if (parts.length === 0) continue;
    const all = parts.map((part) => findings(value, part, check, place));
    if (all.some((one) => one.length === 0)) continue;
    const nearest = all.reduce((best, one) => (one.length < best.length ? one : best));
    found.push(`${place.path}: fits none of ${parts.length} alternatives (nearest: ${nearest[0] ?? ''})`);
  }
  return found;
}

/** Equality by value: types must be the same. */
export function isSame(left: Json, right: Json): boolean {
  return canonical(left) === canonical(right);
}

/** JSON with sorted keys. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(',')}}`;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
