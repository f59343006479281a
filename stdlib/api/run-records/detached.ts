import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

/** Whoever reads a record calls itself for each level. */
const DEEPEST = 500;

/**
 * A copy of a value in plain JSON: bytes become `{encoding: base64, data}`, dates seconds since 1970. Fails with
 * `RequestRecordError` for numbers that are not finite, keys that are not text, circles, what nests too deep and
 * whatever else JSON cannot say.
 */
export function detached(value: unknown): Json {
  return copyOf(value, 'the record', new Set());
}

function copyOf(value: unknown, place: string, around: ReadonlySet<object>): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw fail.requestRecord({ place, reason: `is ${value}, which JSON cannot say` });
      return value;
    case 'object':
      return value === null ? null : ofObject(value, place, around);
    default:
      throw fail.requestRecord({ place, reason: `is of type ${typeof value}, which JSON cannot say` });
  }
}

function ofObject(value: object, place: string, around: ReadonlySet<object>): Json {
  if (around.has(value)) throw fail.requestRecord({ place, reason: 'holds itself' });
  if (around.size === DEEPEST)
    throw fail.requestRecord({ place: 'the record', reason: `nests deeper than ${DEEPEST} levels` });
  if (value instanceof Date) return copyOf(value.getTime() / 1000, place, around);
  if (value instanceof Uint8Array) return { encoding: 'base64', data: Buffer.from(value).toString('base64') };
  const inside = new Set([...around, value]);
  if (Array.isArray(value)) return value.map((item, index) => copyOf(item, at(place, `[${index}]`), inside));
  if (value instanceof Map || value instanceof Set || Object.getOwnPropertySymbols(value).length > 0)
    throw fail.requestRecord({ place, reason: 'has keys that are not text' });
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, copyOf(item, at(place, `.${key}`), inside)]),
  );
}

function at(place: string, part: string): string {
  return place === 'the record' ? part.replace(/^\./, '') : `${place}${part}`;
}
