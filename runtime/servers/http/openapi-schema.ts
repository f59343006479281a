import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/** Keywords of JSON Schema 2020-12 that mean the same in OpenAPI 3.0. */
const same: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'format', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'required', 'multipleOf', 'minimum', 'maximum', 'enum'],
]);

/**
 * A schema of JSON Schema 2020-12 as OpenAPI 3.0 has it: one type, `nullable`, no tuples. What OpenAPI 3.0 cannot say
 * is left out, so that it lets through whatever the schema does: servers check by the schema itself.
 */
export function openapiSchema(schema: Json): JsonObject {
  if (!isObject(schema)) return schema === false ? { not: {} } : {};
  const out: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) if (same.has(key)) out[key] = value;
  if (isList(out['required']) && out['required'].length === 0) delete out['required'];
  Object.assign(out, valuesOf(schema), boundsOf(schema), partsOf(schema));
  return typed(out, schema);
}

/** `const` and examples, of which OpenAPI 3.0 has one. */
function valuesOf({ const: only, examples, contentEncoding }: JsonObject): JsonObject {
  return {
    ...(only !== undefined && { enum: [only] }),
    ...(isList(examples) && examples[0] !== undefined && { example: examples[0] }),
    ...(contentEncoding === 'base64' && { format: 'byte' }),
  };
}

function boundsOf({ exclusiveMinimum: above, exclusiveMaximum: below }: JsonObject): JsonObject {
  return {
    ...(typeof above === 'number' && { minimum: above, exclusiveMinimum: true }),
    ...(typeof below === 'number' && { maximum: below, exclusiveMaximum: true }),
  };
}

function partsOf(schema: JsonObject): JsonObject {
  const { properties, additionalProperties: others, items, prefixItems: tuple, not } = schema;
  const parts: Record<string, Json> = {};
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const list = schema[key];
    if (isList(list)) parts[key] = list.map(openapiSchema);
  }
  if (isObject(properties))
    parts['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, openapiSchema(each)]),
    );
  // Names that patterns let through are none of those that are named.
  if (others !== undefined && schema['patternProperties'] === undefined)
    parts['additionalProperties'] = typeof others === 'boolean' ? others : openapiSchema(others);
  if (not !== undefined) parts['not'] = openapiSchema(not);
  if (isList(tuple)) {
    const rest = items === undefined ? [{}] : items === false ? [] : [openapiSchema(items)];
    parts['items'] = { anyOf: [...tuple.map(openapiSchema), ...rest] };
    if (items === false) parts['maxItems'] = Math.min(tuple.length, Number(schema['maxItems'] ?? tuple.length));
  } else if (items !== undefined) parts['items'] = openapiSchema(items);
  return parts;
}

/** One type beside what else was said; several as alternatives; null as `nullable`. */
function typed(said: JsonObject, { type }: JsonObject): JsonObject {
  const types = isList(type) ? type : type === undefined ? [] : [type];
  const others = types.filter((each) => each !== 'null');
  const withNull = types.length > others.length ? { nullable: true } : {};
  if (others.length === 1) return { ...ofType(others[0] ?? null, said), ...said, ...withNull };
  // Null alone has no type of its own here.
  if (others.length === 0) return types.length === 0 ? said : { ...said, type: 'string', enum: [null], nullable: true };
  const { default: given, description, title, ...rules } = said;
  const { anyOf, ...beside } = rules;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(given !== undefined && { default: given }),
    ...(anyOf !== undefined && { allOf: [{ anyOf }] }),
    anyOf: others.map((each) => ({ ...ofType(each, beside), ...rulesOf(each, beside), ...withNull })),
  };
}

/** A list must say what is in it. */
function ofType(type: Json, said: JsonObject): JsonObject {
  return { type, ...(type === 'array' && said['items'] === undefined && { items: {} }) };
}

const rulesByType: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};
const general: ReadonlySet<string> = new Set(Object.values(rulesByType).flat());

/** Rules that mean something for values of a type, and those that do for all. */
function rulesOf(type: Json, said: JsonObject): JsonObject {
  const own = rulesByType[String(type)] ?? [];
  return Object.fromEntries(Object.entries(said).filter(([key]) => own.includes(key) || !general.has(key)));
}
