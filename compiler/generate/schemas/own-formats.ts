import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

/**
 * A schema as other tools read it: formats of our own (`module-ref`, `element-ref`, `session-ref`) mean nothing to
 * them.
 */
export function withoutOwnFormats(schema: JsonObject): JsonObject {
  return strip(schema) as JsonObject;
}

function strip(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(strip);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([keyword, format]) => keyword !== 'format' || typeof format !== 'string' || !format.endsWith('-ref'),
  );
  return Object.fromEntries(entries.map(([keyword, item]) => [keyword, strip(item)]));
}
