import { isList, type Json, type JsonObject } from '#schemas/types/json.ts';

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** The types that a schema names itself; undefined: any. */
export function typesOf(schema: JsonObject): readonly JsonType[] | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  return (isList(type) ? type : [type]) as readonly JsonType[];
}

export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}
