import { addAll } from '#grammar/source/add-all.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { isSince, type Dialect } from './dialect.ts';

/** Keywords that ajv follows only where nothing lies between them and what they speak of. */
const followed: ReadonlySet<string> = new Set([
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/**
 * Whether a schema says what ajv judges wrongly or cannot read: references out of a resource or to one inside it, what
 * was not evaluated, names that every object has, and keywords beside `$ref` in dialects that ignore them. It asks for
 * too much rather than too little: what looks like such a keyword is taken for one wherever it stands.
 */
export function needsWhole(schema: JsonObject | boolean, dialect: Dialect): boolean {
  if (typeof schema === 'boolean') return false;
  const open: Json[] = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (isList(part)) addAll(open, part);
    else if (typeof part === 'string' && part in Object.prototype) return true;
    else if (isObject(part)) {
      if (isWhole(part, dialect, part === schema)) return true;
      addAll(open, Object.values(part));
    }
  }
  return false;
}

function isWhole(part: JsonObject, dialect: Dialect, isRoot: boolean): boolean {
  const keys = Object.keys(part);
  if (keys.some((key) => followed.has(key) || key in Object.prototype)) return true;
  const { $id: id, $ref: reference } = part;
  if (id !== undefined && !(isRoot && typeof id === 'string' && /^https?:\/\/[^#]*#?$/.test(id))) return true;
  if (!isRoot && Object.hasOwn(part, '$schema')) return true;
  if (typeof reference !== 'string') return false;
  return !reference.startsWith('#') || (!isSince(dialect, '2019-09') && keys.length > 1);
}
