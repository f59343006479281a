import { resolved } from '#grammar/openapi/reference.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { typeOfJson, type Type } from '../value-type.ts';

const DEEPEST = 8;

/** Keywords that say more of a value than its own `type` and members do. */
const OPENING = ['allOf', 'not', 'if', 'patternProperties', 'prefixItems', 'dependentSchemas', '$dynamicRef'];

/**
 * The type of values that a JSON Schema describes. Members that it names are all that there are, unless it says that
 * others may be there. `document`: where its local references lead.
 */
export function typeOfSchema(schema: Json, document: JsonObject): Type {
  return [typed(schema, document, 0)];
}

function typed(written: Json, document: JsonObject, depth: number): JsonObject {
  const schema = depth > DEEPEST ? {} : resolved(written, document);
  if (!isObject(schema) || OPENING.some((keyword) => keyword in schema)) return {};
  const inside = (each: Json | undefined): JsonObject => typed(each ?? {}, document, depth + 1);
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (isList(choices)) return { anyOf: choices.map(inside) };
  if ('const' in schema) return one(typeOfJson(schema['const'] ?? null));
  if (isList(schema['enum'])) return { anyOf: schema['enum'].map((each) => one(typeOfJson(each))) };
  const { properties, additionalProperties: others, items, nullable } = schema;
  const type = schema['type'] ?? (isObject(properties) ? 'object' : undefined);
  if (type === undefined) return {};
  const types = [...(isList(type) ? type : [type]), ...(nullable === true ? ['null'] : [])];
  return {
    type: types.length === 1 ? (types[0] ?? null) : types,
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inside(each)])),
    }),
    ...(others !== undefined && { additionalProperties: others === false ? false : inside(others) }),
    ...(items !== undefined && { items: inside(items) }),
  };
}

function one(type: Type): JsonObject {
  return type[0] ?? {};
}
