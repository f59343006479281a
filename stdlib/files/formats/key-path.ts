import { keySegments } from '#grammar/value-path/key-segments.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** Result of `valueAt` where a path leads nowhere: null is a value. */
export const NOTHING: unique symbol = Symbol('nothing');

/** A path in one text, or a list of keys and indexes, which reaches keys with dots too. */
export function segmentsOf(path: string | readonly (string | number)[], document: unknown): readonly string[] {
  return typeof path === 'string' ? keySegments(path, document as Json) : path.map(String);
}

export function valueAt(value: unknown, segments: readonly string[]): unknown {
  let current = value;
  for (const segment of segments) {
    if (Array.isArray(current)) {
      const index = indexIn(current, segment);
      if (index === undefined || index < 0 || index >= current.length) return NOTHING;
      current = current[index] as unknown;
    } else if (isObject(current) && Object.hasOwn(current, segment)) {
      current = current[segment];
    } else {
      return NOTHING;
    }
  }
  return current;
}

/** The place in a list that a segment names; negative ones count from the end. Undefined: it is no index. */
export function indexIn(list: readonly unknown[], segment: string): number | undefined {
  if (!/^-?[0-9]{1,15}$/.test(segment)) return undefined;
  const index = Number(segment);
  return index < 0 ? list.length + index : index;
}
