import { formats } from '#schemas/generated/formats.ts';
import { identity } from '#schemas/types/identity.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import type { Tokens } from '../4-resolve/tokens.ts';

import { all, no, UNKNOWN, YES, type Verdict } from './answer.ts';
import { branches } from './branches.ts';
import { areEqual, equals, literalOf } from './equality.ts';
import { typeOf, typesOf, type JsonType } from './json-type.ts';
import { known, type Known } from './known.ts';

/** State that the walker carries along. */
export interface Walk {
  readonly tokens: Pick<Tokens, 'text'>;
  /** JSON types of a text that is one reference, where they are known. */
  readonly types?: ReadonlyMap<string, { readonly types: ReadonlySet<string> }> | undefined;
  /** Whether a text fits a pattern; undefined where that takes too long to say. */
  readonly isMatch: (pattern: string, text: string) => boolean | undefined;
  /** Properties of the top object whose texts are no references. */
  readonly opaque?: ReadonlySet<string>;
  /** Number of values that may still be held to a schema; given where the schema too comes from a stranger's file. */
  readonly budget?: { left: number };
}

/** A walk over texts that stand for themselves. */
export function literally(walk: Walk): Walk {
  return { ...walk, tokens: LITERAL_TEXTS };
}

const LITERAL_TEXTS: Walk['tokens'] = { text: () => undefined };

/**
 * Whether a written value fits a schema of the closed keyword set (`schemas/meta/command.schema.json`): yes, no with
 * every problem, or unknown where a reference decides. Where there are no references its answer is ajv's, held to it by
 * a test.
 */
export function fits(schema: Json, value: Json, walk: Walk, route: Route = []): Verdict {
  if (schema === true || schema === undefined) return YES;
  if (!isObject(schema)) return no({ route, keyword: 'additionalProperties', wanted: false, actual: value });
  if (walk.budget !== undefined && (walk.budget.left -= 1) < 0) return UNKNOWN;
  if (typeof value === 'string') return textFits(schema, value, walk, route);
  // No number that a file can hold: the reader has spoken of it, and of what stands there nothing more is known.
  if (typeof value === 'number' && !Number.isFinite(value)) return UNKNOWN;
  const typed = typeFits(schema, value, route);
  if (typed.answer === 'no') return typed;
  return all([
    ...general(schema, value, walk, route),
    ...(typeof value === 'number' ? numberFits(schema, value, route) : []),
    ...(isList(value) ? listFits(schema, value, walk, route) : []),
    ...(isObject(value) ? objectFits(schema, value, walk, route) : []),
  ]);
}

/** Keywords for values of every type. */
function general(schema: JsonObject, value: Json, walk: Walk, route: Route): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  const candidates = isList(schema['enum'])
    ? schema['enum']
    : 'const' in schema
      ? [schema['const'] ?? null]
      : undefined;
  if (candidates !== undefined) verdicts.push(oneOfValues(candidates, value, walk, route));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const schemas = schema[keyword];
    if (!isList(schemas)) continue;
    const each = schemas.map((branch) => fits(branch, value, walk, route));
    verdicts.push(branches(keyword, schemas, each, value, route));
  }
  return verdicts;
}

function oneOfValues(candidates: readonly Json[], value: Json, { tokens, budget }: Walk, route: Route): Verdict {
  if (budget !== undefined && (budget.left -= candidates.length * sizeOf(value)) < 0) return UNKNOWN;
  const answers = candidates.map((candidate) => equals(value, candidate, tokens));
  if (answers.includes('yes')) return YES;
  return answers.includes('unknown') ? UNKNOWN : no({ route, keyword: 'enum', wanted: candidates, actual: value });
}

/** Number of values that a value holds, itself included. */
function sizeOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + sizeOf(item), 1);
}

function typeFits(schema: JsonObject, value: Json, route: Route): Verdict {
  const types = typesOf(schema);
  const actual = typeOf(value);
  if (types === undefined || types.includes(actual) || (actual === 'integer' && types.includes('number'))) return YES;
  return no({ route, keyword: 'type', wanted: types, actual: value });
}

function textFits(schema: JsonObject, value: string, walk: Walk, route: Route): Verdict {
  const written = known(value, walk.tokens);
  const isOpen = written.kind === 'outside' || (written.kind === 'value' && written.types === undefined);
  const types = isOpen ? walk.types?.get(value)?.types : undefined;
  const text: Known = types === undefined ? written : { kind: 'value', types: types as ReadonlySet<JsonType> };
  const typed = textTypeFits(schema, text, value, route);
  if (typed.answer === 'no') return typed;
  const others = general(schema, value, walk, route);
  switch (text.kind) {
    case 'literal':
      return all([...others, ...literalTextFits(schema, text.text, walk, route)]);
    case 'mixed':
      return all([typed, ...others, ...mixedTextFits(schema, text.least, value, route)]);
    case 'value':
    case 'outside':
      return all([typed, ...others, isFree(schema) ? YES : UNKNOWN]);
  }
}

function textTypeFits(schema: JsonObject, text: Known, value: string, route: Route): Verdict {
  const types = typesOf(schema);
  if (types === undefined) return YES;
  const is = text.kind === 'value' && text.types !== undefined ? { is: [...text.types] } : {};
  const problem = no({ route, keyword: 'type', wanted: types, actual: value, ...is });
  switch (text.kind) {
    case 'literal':
    case 'mixed':
      return types.includes('string') ? YES : problem;
    case 'value':
      if (text.types !== undefined && [...text.types].every((type) => types.includes(type))) return YES;
      if (text.types === undefined || types.some((type) => text.types?.has(type))) return UNKNOWN;
      if (types.includes('number') && text.types.has('integer')) return UNKNOWN;
      // Numbers and booleans are written as JSON where only text is taken.
      if (types.includes('string') && [...text.types].some((type) => type !== 'object' && type !== 'array'))
        return UNKNOWN;
      // A whole number is a number, and a number may be whole.
      return types.some((type) => type === 'number' || type === 'integer') && text.types.has('number')
        ? UNKNOWN
        : problem;
    // Read as JSON where the schema takes only numbers or booleans.
    case 'outside':
      return types.some((type) => type !== 'object' && type !== 'array' && type !== 'null') ? UNKNOWN : problem;
  }
}

function literalTextFits(schema: JsonObject, text: string, walk: Walk, route: Route): readonly Verdict[] {
  const { minLength, maxLength, pattern, format } = schema;
  const verdicts: Verdict[] = [];
  if (typeof minLength === 'number' && charactersIn(text) < minLength)
    verdicts.push(no({ route, keyword: 'minLength', wanted: minLength, actual: text }));
  if (typeof maxLength === 'number' && charactersIn(text) > maxLength)
    verdicts.push(no({ route, keyword: 'maxLength', wanted: maxLength, actual: text }));
  if (typeof pattern === 'string') {
    const isMatch = walk.isMatch(pattern, text);
    if (isMatch === undefined) verdicts.push(UNKNOWN);
    else if (!isMatch) verdicts.push(no({ route, keyword: 'pattern', wanted: pattern, actual: text }));
  }
  if (typeof format === 'string' && Object.hasOwn(formats, format) && formats[format]?.test(text) === false)
    verdicts.push(no({ route, keyword: 'format', wanted: format, actual: text }));
  return verdicts;
}

/** Characters as JSON Schema counts them: two halves are one. */
function charactersIn(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

/** Verdicts on a text with references, of which only the least length is known. */
function mixedTextFits(schema: JsonObject, least: number, value: string, route: Route): readonly Verdict[] {
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof maxLength === 'number' && least > maxLength)
    return [no({ route, keyword: 'maxLength', wanted: maxLength, actual: value })];
  const isSettled =
    maxLength === undefined &&
    pattern === undefined &&
    format === undefined &&
    (typeof minLength !== 'number' || minLength <= least);
  return isSettled ? [] : [UNKNOWN];
}

/** Keywords that say nothing of a value, or that are answered elsewhere. */
const SETTLED = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'contentEncoding',
  'contentMediaType',
  'type',
  'enum',
  'const',
  'anyOf',
  'oneOf',
];

/** Whether nothing but types and alternatives is asked for. */
function isFree(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => SETTLED.includes(keyword));
}

function numberFits(schema: JsonObject, value: number, route: Route): readonly Verdict[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const verdicts: Verdict[] = [];
  const problem = (keyword: string, wanted: number): void =>
    void verdicts.push(no({ route, keyword, wanted, actual: value }));
  if (typeof minimum === 'number' && value < minimum) problem('minimum', minimum);
  if (typeof maximum === 'number' && value > maximum) problem('maximum', maximum);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) problem('exclusiveMinimum', exclusiveMinimum);
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) problem('exclusiveMaximum', exclusiveMaximum);
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf)) problem('multipleOf', multipleOf);
  return verdicts;
}

function listFits(schema: JsonObject, value: readonly Json[], walk: Walk, route: Route): readonly Verdict[] {
  const { minItems, maxItems, uniqueItems, prefixItems, items } = schema;
  const verdicts: Verdict[] = [];
  if (typeof minItems === 'number' && value.length < minItems)
    verdicts.push(no({ route, keyword: 'minItems', wanted: minItems, actual: value }));
  if (typeof maxItems === 'number' && value.length > maxItems)
    verdicts.push(no({ route, keyword: 'maxItems', wanted: maxItems, actual: value }));
  const prefix = isList(prefixItems) ? prefixItems : [];
  for (const [index, item] of value.entries()) {
    const itemSchema = prefix[index] ?? items;
    if (itemSchema !== undefined) verdicts.push(fits(itemSchema, item, walk, [...route, index]));
  }
  if (uniqueItems === true) verdicts.push(unique(value, walk, route));
  return verdicts;
}

/** Comparisons of values around references, after which nothing is known of whether all differ. */
const MOST_COMPARED = 10_000;

function unique(value: readonly Json[], { tokens }: Walk, route: Route): Verdict {
  const seen = new Map<string, number>();
  const open: Json[] = [];
  for (const [index, item] of value.entries()) {
    const literal = literalOf(item, tokens);
    if (literal === undefined) {
      open.push(item);
      continue;
    }
    const key = identity(literal);
    const before = seen.get(key);
    if (before !== undefined)
      return no({ route: [...route, index], keyword: 'uniqueItems', wanted: before, actual: item });
    seen.set(key, index);
  }
  if (open.length * value.length > MOST_COMPARED) return UNKNOWN;
  const mayBeEqual = open.some((item) =>
    value.some((other) => other !== item && areEqual(other, item, tokens) !== 'no'),
  );
  return mayBeEqual || new Set(open).size < open.length ? UNKNOWN : YES;
}

function objectFits(schema: JsonObject, value: JsonObject, walk: Walk, route: Route): readonly Verdict[] {
  const { minProperties, maxProperties, required, propertyNames } = schema;
  const verdicts: Verdict[] = [];
  const keys = Object.keys(value);
  if (typeof minProperties === 'number' && keys.length < minProperties)
    verdicts.push(no({ route, keyword: 'minProperties', wanted: minProperties, actual: value }));
  if (typeof maxProperties === 'number' && keys.length > maxProperties)
    verdicts.push(no({ route, keyword: 'maxProperties', wanted: maxProperties, actual: value }));
  for (const name of isList(required) ? required : []) {
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      verdicts.push(no({ route, keyword: 'required', wanted: name, actual: value }));
  }
  for (const key of keys) {
    const inside = route.length === 0 && walk.opaque?.has(key) === true ? literally(walk) : walk;
    verdicts.push(propertyFits(schema, key, value[key] ?? null, inside, [...route, key]));
    if (propertyNames !== undefined) verdicts.push(nameFits(propertyNames, key, walk, [...route, key]));
  }
  return verdicts;
}

function propertyFits(
  { properties, additionalProperties }: JsonObject,
  key: string,
  value: Json,
  walk: Walk,
  route: Route,
): Verdict {
  if (isObject(properties) && Object.hasOwn(properties, key)) return fits(properties[key] ?? true, value, walk, route);
  if (additionalProperties === undefined || additionalProperties === true) return YES;
  if (additionalProperties !== false) return fits(additionalProperties, value, walk, route);
  const allowed = isObject(properties) ? Object.keys(properties) : [];
  return no({ route, keyword: 'additionalProperties', wanted: allowed, actual: value });
}

/** Object keys are not filled: a name is always literal. */
function nameFits(schema: Json, name: string, walk: Walk, route: Route): Verdict {
  const { answer, problems } = fits(schema, name, literally(walk), route);
  if (answer !== 'no') return answer === 'yes' ? YES : UNKNOWN;
  return no({ route, keyword: 'propertyNames', wanted: problems[0]?.wanted ?? null, actual: name });
}
