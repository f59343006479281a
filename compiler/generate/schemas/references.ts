import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

const reference: JsonObject = { $ref: '#/$defs/reference' };

/**
 * The schema of a value as people write it in an action file: a reference may stand wherever a value can. Words for
 * people stay outermost, where editors look for them.
 */
export function withReferences(schema: JsonObject): JsonObject {
  const inner = descend(schema);
  if (takesAnyText(inner)) return inner;
  const { description, title, default: fallback, examples, deprecated, ...rest } = inner;
  const words = Object.fromEntries(
    Object.entries({ title, description, default: fallback, examples, deprecated }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return { ...(words as JsonObject), anyOf: [rest, reference] };
}

function descend(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties')
        return [
          keyword,
          Object.fromEntries(Object.entries(value as JsonObject).map(([name, property]) => [name, sub(property)])),
        ];
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, sub(value)];
      if (keyword === 'prefixItems') return [keyword, (value as readonly Json[]).map(sub)];
      // A reference beside the branches stands for any of them.
      if (keyword === 'anyOf' || keyword === 'oneOf')
        return [keyword, (value as readonly Json[]).map((branch) => (isObject(branch) ? descend(branch) : branch))];
      return [keyword, value];
    }),
  );
}

function sub(value: Json): Json {
  return isObject(value) ? withReferences(value) : value;
}

/** Whether the schema refuses no text that holds a reference. */
function takesAnyText(schema: JsonObject): boolean {
  const { type, anyOf } = schema;
  if (['enum', 'const', 'pattern', 'format', 'oneOf', 'maxLength'].some((keyword) => schema[keyword] !== undefined))
    return false;
  if (Array.isArray(anyOf))
    return (anyOf as readonly Json[]).some((branch) => isObject(branch) && takesAnyText(branch));
  if (type === undefined) return true;
  return type === 'string' || (Array.isArray(type) && (type as readonly Json[]).includes('string'));
}
