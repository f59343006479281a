import { addAll } from '#grammar/source/add-all.ts';
import { cutText } from '#grammar/source/cut-text.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { counted } from '#grammar/source/counted.ts';

import { chosenAlternative, chosenHeir } from './discriminator.ts';
import { lookedAt } from './looked-at.ts';
import { declaredProperty, isMarked } from './one-sided.ts';
import { isFrom31, isWhole, keywordsBeside, resolved } from './reference.ts';
import { fitsFormat, fitsPattern } from './text-forms.ts';
import { TooMuchWork, Work } from './work.ts';

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
  try {
    return findings(value, schema, { ...check, work: new Work(value) }, { path, depth: 0 });
  } catch (error) {
    if (error instanceof TooMuchWork)
      return [`${error.place}: its schemas refer to others in too many ways to be judged`];
    throw error;
  }
}

interface Judging extends SchemaCheck {
  readonly work: Work;
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** Schemas that have this one as a part: they may declare what it asks for. */
  readonly holders?: readonly JsonObject[];
}

function findings(
  value: Json,
  given: Json | undefined,
  check: Judging,
  { path, depth, holders = [] }: Place,
): readonly string[] {
  check.work.add(path);
  // Hidden in records: nobody knows what stood here.
  if (typeof value === 'string' && value.includes(HIDDEN)) return [];
  const beside = keywordsBeside(given, check.document);
  const schema = resolved(given, check.document);
  if (schema === false) return [`${path}: nothing is allowed here`];
  if (!isObject(schema) || depth > DEEPEST) return [];
  const place = { path, depth: depth + 1 };
  if (value === null && (schema['nullable'] === true || schema['x-nullable'] === true)) return [];
  const wrongType = typeFinding(value, schema, path);
  if (wrongType !== undefined) return [wrongType];
  const heir = chosenHeir(value, schema, check.document, holders);
  if (heir)
    return [
      ...findings(value, heir, check, { ...place, holders }),
      ...(beside ? findings(value, beside, check, place) : []),
    ];
  return [
    ...constantFindings(value, schema, path),
    ...(typeof value === 'number' ? numberFindings(value, schema, path) : []),
    ...(typeof value === 'string' ? textFindings(value, schema, path) : []),
    ...(Array.isArray(value) ? listFindings(value, schema, check, place) : []),
    ...(isObject(value) ? objectFindings(value, schema, check, { ...place, holders: [schema, ...holders] }) : []),
    ...combinedFindings(value, schema, check, { ...place, holders: [schema, ...holders] }),
    ...conditionFindings(value, schema, check, place),
    ...(beside ? findings(value, beside, check, place) : []),
    ...leftFindings(value, schema, check, place),
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
  const [over, under] = [above === true ? minimum : above, below === true ? maximum : below];
  if (typeof minimum === 'number' && above !== true && value < minimum)
    found.push(`${path}: ${value} is less than ${minimum}`);
  if (typeof maximum === 'number' && below !== true && value > maximum)
    found.push(`${path}: ${value} is more than ${maximum}`);
  if (typeof over === 'number' && value <= over) found.push(`${path}: ${value} is not more than ${over}`);
  if (typeof under === 'number' && value >= under) found.push(`${path}: ${value} is not less than ${under}`);
  if (schema['format'] === 'int32' && (value < -2147483648 || value > 2147483647))
    found.push(`${path}: ${value} is no int32`);
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

function listFindings(value: readonly Json[], schema: JsonObject, check: Judging, place: Place): readonly string[] {
  const { minItems, maxItems, uniqueItems, items, prefixItems } = schema;
  const { path } = place;
  const found: string[] = [];
  if (typeof minItems === 'number' && value.length < minItems) found.push(`${path}: fewer than ${minItems} elements`);
  if (typeof maxItems === 'number' && value.length > maxItems) found.push(`${path}: more than ${maxItems} elements`);
  if (uniqueItems === true && new Set(value.map(canonical)).size < value.length)
    found.push(`${path}: the same element twice`);
  const first = Array.isArray(prefixItems) ? (prefixItems as readonly Json[]) : [];
  for (const [index, item] of value.entries())
    addAll(found, findings(item, first[index] ?? items, check, { ...place, path: `${path}[${index}]` }));
  return [...found, ...containFindings(value, schema, check, place)];
}

function containFindings(
  value: readonly Json[],
  { contains, minContains: least = 1, maxContains: most }: JsonObject,
  check: Judging,
  place: Place,
): readonly string[] {
  if (contains === undefined) return [];
  const count = value.filter((item) => findings(item, contains, check, place).length === 0).length;
  if (typeof least === 'number' && count < least) return [`${place.path}: fewer than ${least} elements are as wanted`];
  return typeof most === 'number' && count > most ? [`${place.path}: more than ${most} elements are as wanted`] : [];
}

function objectFindings(value: JsonObject, schema: JsonObject, check: Judging, place: Place): readonly string[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const patterns = isObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  const { additionalProperties: others, required, minProperties, maxProperties } = schema;
  const found: string[] = [];
  for (const name of Array.isArray(required) ? (required as readonly Json[]) : []) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue;
    if (!isLeftOut(name, check, place)) found.push(`${place.path}: "${name}" is missing`);
  }
  const count = Object.keys(value).length;
  if (typeof minProperties === 'number' && count < minProperties)
    found.push(`${place.path}: fewer than ${counted(minProperties, 'field')}`);
  if (typeof maxProperties === 'number' && count > maxProperties)
    found.push(`${place.path}: more than ${counted(maxProperties, 'field')}`);
  for (const [name, item] of Object.entries(value)) {
    const at = { path: `${place.path}.${name}`, depth: place.depth };
    const own = patterns.filter(([pattern]) => fitsPattern(name, pattern));
    for (const [, part] of own) addAll(found, findings(item, part, check, at));
    if (Object.hasOwn(properties, name)) {
      if (check.direction === 'response' && isMarked(properties[name], 'writeOnly', check.document))
        found.push(`${at.path}: is writeOnly, an answer must not tell it`);
      addAll(found, findings(item, properties[name], check, at));
    } else if (own.length > 0) continue;
    else if (others === false) found.push(`${at.path}: is not declared`);
    else if (isObject(others)) addAll(found, findings(item, others, check, at));
  }
  return [...found, ...nameFindings(value, schema, check, place)];
}

/** Findings about names: their form, and those that others ask for. */
function nameFindings(
  value: JsonObject,
  { propertyNames: form, dependentRequired: needed, dependentSchemas: held }: JsonObject,
  check: Judging,
  place: Place,
): readonly string[] {
  const found = Object.keys(value).flatMap((name) =>
    form === undefined ? [] : findings(name, form, check, { ...place, path: `${place.path} (name "${name}")` }),
  );
  for (const [name, others] of isObject(needed) ? Object.entries(needed) : [])
    for (const other of Object.hasOwn(value, name) && Array.isArray(others) ? (others as readonly Json[]) : [])
      if (!Object.hasOwn(value, String(other)))
        found.push(`${place.path}: "${String(other)}" is missing beside "${name}"`);
  for (const [name, part] of isObject(held) ? Object.entries(held) : [])
    if (Object.hasOwn(value, name)) addAll(found, findings(value, part, check, place));
  return found;
}

/** Whether a property is not asked for, because only the other side sets or reads it. */
function isLeftOut(name: string, { document, direction }: SchemaCheck, { holders = [] }: Place): boolean {
  const mark = direction === 'request' ? 'readOnly' : 'writeOnly';
  return holders.some((holder) => isMarked(declaredProperty(name, holder, document), mark, document));
}

/** Findings about fields and elements that no other keyword looked at. */
function leftFindings(value: Json, schema: JsonObject, check: Judging, place: Place): readonly string[] {
  const form = schema[isObject(value) ? 'unevaluatedProperties' : 'unevaluatedItems'];
  if (form === undefined || typeof value !== 'object' || value === null || !isFrom31(check.document)) return [];
  if (!isWhole(schema, check.document)) return [];
  const fits = (item: Json, part: Json): boolean => findings(item, part, check, place).length === 0;
  const seen = lookedAt(value, schema, { document: check.document, fits });
  return Object.entries(value).flatMap(([key, item]) => {
    if (seen.has(key)) return [];
    const path = Array.isArray(value) ? `${place.path}[${key}]` : `${place.path}.${key}`;
    return form === false ? [`${path}: is not declared`] : findings(item, form, check, { path, depth: place.depth });
  });
}

function combinedFindings(value: Json, schema: JsonObject, check: Judging, place: Place): readonly string[] {
  const found: string[] = [];
  const list = (key: string): readonly Json[] => (Array.isArray(schema[key]) ? (schema[key] as readonly Json[]) : []);
  // Parts may share parts.
  addAll(found, new Set(list('allOf').flatMap((part) => findings(value, part, check, place))));
  for (const key of ['anyOf', 'oneOf']) {
    const chosen = chosenAlternative(value, list(key), schema['discriminator']);
    if (chosen === 'none') {
      found.push(`${place.path}: its discriminator names none of ${list(key).length} alternatives`);
      continue;
    }
    const parts = chosen ? [chosen] : list(key);
    if (parts.length === 0) continue;
    const all = parts.map((part) => findings(value, part, check, place));
    const fitting = all.filter((one) => one.length === 0).length;
    if (fitting > 1 && key === 'oneOf' && isCertain(value, parts, check.document))
      found.push(`${place.path}: fits ${fitting} of ${parts.length} alternatives, and may fit one alone`);
    if (fitting > 0) continue;
    const nearest = all.reduce((best, one) => (one.length < best.length ? one : best));
    found.push(`${place.path}: fits none of ${parts.length} alternatives (nearest: ${nearest[0] ?? ''})`);
  }
  return found;
}

function conditionFindings(value: Json, schema: JsonObject, check: Judging, place: Place): readonly string[] {
  const { not, if: condition, then: yes, else: no } = schema;
  const fits = (part: Json): boolean => findings(value, part, check, place).length === 0;
  const isRefused = not !== undefined && fits(not) && isCertain(value, [not], check.document);
  const branch = condition === undefined ? undefined : fits(condition) ? yes : no;
  return [
    ...(isRefused ? [`${place.path}: ${shown(value)} is what it must not be`] : []),
    ...(branch === undefined ? [] : findings(value, branch, check, place)),
  ];
}

/** Whether a value fits for sure, where it does: hidden parts and schemas outside of the document fit everything. */
function isCertain(value: Json, schemas: readonly Json[], document: JsonObject): boolean {
  return !canonical(value).includes(HIDDEN) && schemas.every((schema) => isWhole(schema, document));
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
  return cutText(JSON.stringify(value), 80);
}
