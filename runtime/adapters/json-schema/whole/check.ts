import type { Ajv } from 'ajv';

import { Work } from '#grammar/openapi/work.ts';
import type { Regex } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { bounded, MOST_FOLLOWED } from '../bounded-work.ts';
import type { Dialect } from '../dialect.ts';
import { wrongPattern } from '../pattern.ts';
import type { SchemaFinding } from '../port.ts';
import { evaluate } from './evaluate.ts';
import { own, readSchemas, type SchemaAt, type Schemas } from './schemas.ts';
import { partsOf } from './keywords.ts';

interface Around {
  readonly dialect: Dialect;
  /** Knows the dialect's own schema and the formats. */
  readonly ajv: Ajv;
  readonly regex: Regex;
}

/**
 * Follows the dialect whole where ajv does not: in time that grows with value times schema, with names that the value
 * has itself.
 */
export function checkWhole(value: Json, schema: JsonObject, { dialect, ajv, regex }: Around): readonly SchemaFinding[] {
  try {
    if (ajv.validateSchema(schema) !== true) throw fail.schemaBroken({ reason: ajv.errorsText() });
    const schemas = readSchemas(schema, dialect, (uri) => ownSchema(ajv, uri));
    checkReached(schemas);
    const format = (name: string, part: Json): boolean => hasFormat(ajv, name, part);
    const most = new Work(value, MOST_FOLLOWED);
    return bounded(most, (work) => evaluate({ schemas, regex, work, hasFormat: format }, value));
  } catch (cause) {
    if (cause instanceof RangeError) throw fail.schemaBroken({ reason: 'it or the value is too deep', cause });
    throw cause;
  }
}

function ownSchema(ajv: Ajv, uri: string): Json | undefined {
  const schema =
    Object.hasOwn(ajv.schemas, uri) || Object.hasOwn(ajv.refs, uri) ? ajv.getSchema(uri)?.schema : undefined;
  return isObject(schema) ? schema : undefined;
}

function hasFormat(ajv: Ajv, name: string, value: Json): boolean {
  const format = ajv.formats[name];
  if (format === undefined || typeof format === 'boolean') return true;
  const rule = typeof format === 'object' && 'validate' in format ? format.validate : format;
  const type = (typeof format === 'object' && 'type' in format && format.type) || 'string';
  if (typeof value !== type || typeof rule === 'string') return true;
  return rule instanceof RegExp ? rule.test(value as string) : (rule as (part: Json) => unknown)(value) === true;
}

/** Refuses references that lead nowhere and patterns that are none, as far as a value can come to them. */
function checkReached(schemas: Schemas): void {
  const seen = new Set<Json>();
  const open: SchemaAt[] = [schemas.root];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const { schema } = here;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = own(schema, keyword);
      if (typeof reference === 'string') open.push(schemas.resolve(here, reference));
    }
    checkPatterns(schema);
    const parts = partsOf(schema, here.resource.dialect).filter(([key]) => key !== '$defs' && key !== 'definitions');
    for (const keys of parts) open.push(schemas.step(here, ...keys) ?? here);
  }
}

function checkPatterns(schema: JsonObject): void {
  const [pattern, named] = [own(schema, 'pattern'), own(schema, 'patternProperties')];
  for (const text of [pattern, ...(isObject(named) ? Object.keys(named) : [])]) {
    const wrong = typeof text === 'string' ? wrongPattern(text) : undefined;
    if (wrong !== undefined) throw fail.schemaBroken({ reason: wrong.message, cause: wrong });
  }
}
