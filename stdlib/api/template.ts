import { PLACEHOLDER } from '#grammar/template/placeholders.ts';
import { inText } from '#runtime/kernel/values/convert.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

/** Values with which a template is filled, and the form in which they are written. */
export interface Filling {
  /** The value of a name with its path; undefined: not defined. */
  value(name: string): Json | undefined;
  /** Value for a name that is not defined; without this function, empty text. It may throw. */
  missing?(name: string): Json;
  /** Text of a value inside a longer text, or as the whole of one; for markup. */
  escape?(name: string, text: string): string;
}

const largest = 64 * 1024 * 1024;

/**
 * Fills the placeholders of a text, or of all texts of an object or list; keys stay as they are. A text that is one
 * placeholder takes the value with its type. One pass: text that came out of a placeholder is not searched again.
 */
export function fillTemplate(payload: Json, filling: Filling): Json {
  if (typeof payload === 'string') return payload.includes('{{') ? fillText(payload, filling) : payload;
  if (Array.isArray(payload)) return payload.map((item: Json) => fillTemplate(item, filling));
  if (!isObject(payload)) return payload;
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, fillTemplate(value, filling)]));
}

function fillText(text: string, filling: Filling): Json {
  const matches = [...text.matchAll(PLACEHOLDER)];
  const [only] = matches;
  if (only?.[1] !== undefined && only[0].length === text.length)
    return escaped(only[1], valueOf(only[1], only[2], filling), filling);
  let filled = '';
  let at = 0;
  for (const match of matches) {
    filled += text.slice(at, match.index) + (match[1] === undefined ? '{{' : written(match[1], match[2], filling));
    at = match.index + match[0].length;
    if (filled.length > largest) throw fail.templateTooLarge({ limit: largest });
  }
  return filled + text.slice(at);
}

function valueOf(name: string, fallback: string | undefined, filling: Filling): Json {
  const value = filling.value(name);
  if (value !== undefined) return value;
  if (fallback !== undefined) return fallback.trim();
  return filling.missing?.(name) ?? '';
}

function written(name: string, fallback: string | undefined, filling: Filling): string {
  const value = valueOf(name, fallback, filling);
  const text = value === null ? '' : inText(value);
  return filling.escape?.(name, text) ?? text;
}

function escaped(name: string, value: Json, filling: Filling): Json {
  return typeof value === 'string' && filling.escape ? filling.escape(name, value) : value;
}
