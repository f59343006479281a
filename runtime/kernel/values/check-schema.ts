import { formats } from '#schemas/generated/formats.ts';
import { identity } from '#schemas/types/identity.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { ValidationError } from '#schemas/types/validation.ts';

import { deepEqual } from './deep-equal.ts';

/**
 * Checks a value that comes from outside against a JSON Schema: the keywords that inputs and configurations use, in the
 * words of ajv's findings. Linked only where a plan has inputs; commands have validators compiled ahead of time.
 * `isMatch` holds a text to a pattern; where the schema is a stranger's it ends in time.
 */
export function checkSchema(schema: JsonObject, value: Json, isMatch: IsMatch): readonly ValidationError[] {
  const findings: ValidationError[] = [];
  check(schema, value, '', { root: schema, findings, isMatch, depth: 0 });
  return findings;
}

export type IsMatch = (pattern: string, text: string) => boolean;

/** Schemas and values inside one another: a reference may lead to where it stands. */
const MOST_DEPTH = 1000;

interface Context {
  readonly root: JsonObject;
  readonly findings: ValidationError[];
  readonly isMatch: IsMatch;
  depth: number;
}

function check(schema: Json | undefined, value: Json, at: string, context: Context): void {
  if (context.depth >= MOST_DEPTH) return void report(context, at, 'depth', { limit: MOST_DEPTH });
  context.depth += 1;
  checkHere(schema, value, at, context);
  context.depth -= 1;
}

function checkHere(schema: Json | undefined, value: Json, at: string, context: Context): void {
  if (schema === false) return void report(context, at, 'false schema', {});
  if (!isObject(schema)) return;
  if (typeof schema['$ref'] === 'string') check(resolve(schema['$ref'], context.root), value, at, context);
  if (schema['type'] !== undefined && !listOf(schema['type']).some((type) => isOf(type, value)))
    return void report(context, at, 'type', { type: schema['type'] });
  if (Array.isArray(schema['enum']) && !schema['enum'].some((allowed) => deepEqual(allowed, value)))
    report(context, at, 'enum', { allowedValues: schema['enum'] });
  if (schema['const'] !== undefined && !deepEqual(schema['const'], value))
    report(context, at, 'const', { allowedValue: schema['const'] });
  if (typeof value === 'number') checkNumber(schema, value, at, context);
  else if (typeof value === 'string') checkText(schema, value, at, context);
  else if (Array.isArray(value)) checkList(schema, value, at, context);
  else if (isObject(value)) checkObject(schema, value, at, context);
  checkCombined(schema, value, at, context);
}

function checkNumber(schema: JsonObject, value: number, at: string, context: Context): void {
  const bound = (keyword: string, wrong: (limit: number) => boolean): void => {
    const limit = schema[keyword];
    if (typeof limit === 'number' && wrong(limit)) report(context, at, keyword, { limit });
  };
  bound('minimum', (limit) => value < limit);
  bound('maximum', (limit) => value > limit);
  bound('exclusiveMinimum', (limit) => value <= limit);
  bound('exclusiveMaximum', (limit) => value >= limit);
  bound('multipleOf', (step) => Math.abs(value / step - Math.round(value / step)) > 1e-9);
}

function checkText(schema: JsonObject, value: string, at: string, context: Context): void {
  const length = [...value].length;
  if (typeof schema['minLength'] === 'number' && length < schema['minLength'])
    report(context, at, 'minLength', { limit: schema['minLength'] });
  if (typeof schema['maxLength'] === 'number' && length > schema['maxLength'])
    report(context, at, 'maxLength', { limit: schema['maxLength'] });
  if (typeof schema['pattern'] === 'string' && !context.isMatch(schema['pattern'], value))
    report(context, at, 'pattern', { pattern: schema['pattern'] });
  const { format } = schema;
  if (typeof format === 'string' && Object.hasOwn(formats, format) && formats[format]?.test(value) === false)
    report(context, at, 'format', { format });
}

function checkList(schema: JsonObject, value: readonly Json[], at: string, context: Context): void {
  if (typeof schema['minItems'] === 'number' && value.length < schema['minItems'])
    report(context, at, 'minItems', { limit: schema['minItems'] });
  if (typeof schema['maxItems'] === 'number' && value.length > schema['maxItems'])
    report(context, at, 'maxItems', { limit: schema['maxItems'] });
  if (schema['uniqueItems'] === true && new Set(value.map(identity)).size < value.length)
    report(context, at, 'uniqueItems', {});
  const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  value.forEach((part, index) =>
    check(index < first.length ? first[index] : schema['items'], part, `${at}/${index}`, context),
  );
}

function checkObject(schema: JsonObject, value: JsonObject, at: string, context: Context): void {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const patterns = isObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  const count = Object.keys(value).length;
  if (typeof schema['minProperties'] === 'number' && count < schema['minProperties'])
    report(context, at, 'minProperties', { limit: schema['minProperties'] });
  if (typeof schema['maxProperties'] === 'number' && count > schema['maxProperties'])
    report(context, at, 'maxProperties', { limit: schema['maxProperties'] });
  for (const name of listOf(schema['required']))
    if (!Object.hasOwn(value, String(name))) report(context, at, 'required', { missingProperty: name });
  for (const [name, part] of Object.entries(value)) {
    const place = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const fitting = patterns.filter(([pattern]) => context.isMatch(pattern, name));
    for (const [, rule] of fitting) check(rule, part, place, context);
    if (Object.hasOwn(properties, name)) check(properties[name], part, place, context);
    else if (fitting.length === 0 && schema['additionalProperties'] === false)
      report(context, at, 'additionalProperties', { additionalProperty: name });
    else if (fitting.length === 0) check(schema['additionalProperties'], part, place, context);
    if (schema['propertyNames'] !== undefined) check(schema['propertyNames'], name, place, context);
  }
}

function checkCombined(schema: JsonObject, value: Json, at: string, context: Context): void {
  for (const part of Array.isArray(schema['allOf']) ? schema['allOf'] : []) check(part, value, at, context);
  if (Array.isArray(schema['anyOf']) && !schema['anyOf'].some((part) => fits(part, value, context)))
    report(context, at, 'anyOf', {});
  if (Array.isArray(schema['oneOf']) && schema['oneOf'].filter((part) => fits(part, value, context)).length !== 1)
    report(context, at, 'oneOf', {});
  if (schema['not'] !== undefined && fits(schema['not'], value, context)) report(context, at, 'not', {});
}

function fits(schema: Json, value: Json, context: Context): boolean {
  const findings: ValidationError[] = [];
  check(schema, value, '', { ...context, findings });
  return findings.length === 0;
}

function report({ findings }: Context, instancePath: string, keyword: string, params: JsonObject): void {
  findings.push({ instancePath, keyword, params });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function isOf(type: Json, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

/** Only references into the schema itself. */
function resolve(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let here: Json | undefined = root;
  for (const piece of reference
    .slice(1)
    .split('/')
    .filter((part) => part !== '')) {
    const key = decodeURIComponent(piece).replaceAll('~1', '/').replaceAll('~0', '~');
    here = isObject(here)
      ? Object.hasOwn(here, key)
        ? here[key]
        : undefined
      : Array.isArray(here)
        ? here[Number(key)]
        : undefined;
  }
  return here;
}
