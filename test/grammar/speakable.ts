import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

/** Values in error may be none that a file can hold: they are told as text. */
export function speakable(value: Json, depth = 0): Json {
  // A case file is read with the same limits, and holds the value some levels down.
  if (depth > 200) return 'and so on';
  if (typeof value === 'number')
    return Number.isFinite(value) &&
      (Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= 1e21)
      ? value
      : `number ${value}`;
  if (typeof value === 'string') return value.isWellFormed() ? value : JSON.stringify(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => speakable(item, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.isWellFormed() ? key : JSON.stringify(key),
      speakable(item, depth + 1),
    ]),
  );
}
