import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

/** Deep equality of JSON values: types must be the same, the order of keys does not matter. */
export function equalJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item: Json, index) => equalJson(item, right[index] as Json));
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key] as Json, right[key] as Json))
  );
}
