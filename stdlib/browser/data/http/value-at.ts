import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject, pointerKeys } from '#schemas/types/json.ts';

/** A field by its name, or by a JSON pointer (RFC 6901) where no field is called so; undefined where there is none. */
export function valueAt(body: JsonObject, key: string): Json | undefined {
  if (Object.hasOwn(body, key)) return body[key];
  if (!key.startsWith('/')) return undefined;
  let value: Json | undefined = body;
  for (const name of pointerKeys(key)) {
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(name) ? (value[Number(name)] as Json) : undefined;
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}
