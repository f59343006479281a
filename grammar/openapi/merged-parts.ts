import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { resolved } from './reference.ts';

/** Keywords that say nothing about values. */
const WORDS = new Set(['title', 'description', 'example', 'examples', 'externalDocs', 'xml', 'deprecated', '$schema']);
const MERGED = new Set(['type', 'properties', 'required', 'allOf', ...WORDS]);

/**
 * A schema with the properties of its `allOf` parts among its own, as far as the parts are plain lists of properties
 * that do not contradict each other; the others stay parts.
 */
export function mergedParts(schema: JsonObject, document: JsonObject, known: Merged = new Map()): JsonObject {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const before = known.get(schema);
  if (before) return before;
  // A part of itself stays one.
  known.set(schema, schema);
  let merged: JsonObject = rest;
  const left: Json[] = [];
  for (const part of allOf as readonly Json[]) {
    const target = resolved(part, document);
    const plain = isObject(target) ? mergedParts(target, document, known) : undefined;
    const joined = plain && joinedWith(merged, plain);
    if (joined) merged = joined;
    else left.push(part);
  }
  if (left.length > 0) merged = { ...merged, allOf: left };
  known.set(schema, merged);
  return merged;
}

/** Schemas and what they are merged. */
type Merged = Map<JsonObject, JsonObject>;

/** Both schemas as one; undefined: they say different things of the same, or more than properties. */
function joinedWith(schema: JsonObject, part: JsonObject): JsonObject | undefined {
  if (Object.keys(part).some((key) => !MERGED.has(key)) || part['allOf'] !== undefined) return undefined;
  if (schema['type'] !== undefined && part['type'] !== undefined && schema['type'] !== part['type']) return undefined;
  const [own, others] = [schema['properties'] ?? {}, part['properties'] ?? {}];
  if (!isObject(own) || !isObject(others) || Object.keys(others).some((name) => Object.hasOwn(own, name)))
    return undefined;
  const required = [...new Set([schema['required'] ?? [], part['required'] ?? []].flat() as readonly Json[])];
  const type = schema['type'] ?? part['type'];
  return {
    ...schema,
    ...(type === undefined ? {} : { type }),
    properties: { ...own, ...others },
    ...(required.length > 0 ? { required } : {}),
  };
}
