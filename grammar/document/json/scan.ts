import { isPlainNumber } from '../number.ts';

/** Facts that one look over the characters of a JSON text finds before it is parsed. */
export interface JsonScan {
  /** Colons outside of strings: as many as there are keys, where the text is JSON. */
  readonly keys: number;
  /** Offset at which the depth limit is passed; the scan stops there. */
  readonly tooDeepAt?: number;
  /** Ranges of number literals that need a closer look, flat: start, end, start, end. */
  readonly numbers: readonly number[];
  /** The offset of the first `\u` escape of a surrogate; -1 without one. */
  readonly surrogateAt: number;
}

/** Reads no meaning, so that it is right for every text, JSON or not. Linear, without recursion. */
export function scanJson(text: string, maxDepth: number): JsonScan {
  const numbers: number[] = [];
  const length = text.length;
  let keys = 0;
  let depth = 0;
  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at);
    at += 1;
    if (unit <= 32) continue;
    if (unit === 34) {
      at = stringEnd(text, at);
    } else if (unit === 58) {
      keys += 1;
    } else if (unit === 123 || unit === 91) {
      depth += 1;
      if (depth > maxDepth) return { keys, tooDeepAt: at - 1, numbers, surrogateAt: -1 };
    } else if (unit === 125 || unit === 93) {
      depth -= 1;
    } else if (unit === 45 || (unit >= 48 && unit <= 57)) {
      at = numberEnd(text, at, numbers);
    }
  }
  return { keys, numbers, surrogateAt: surrogateEscape(text) };
}

function surrogateEscape(text: string): number {
  // Most texts hold no escape by number: one look for a backslash is enough for them.
  return text.includes('\\u') ? text.search(/\\u[dD][89a-fA-F]/) : -1;
}

/**
 * The offset behind the closing quote of the string whose content begins at `at`; the text's end where none closes it.
 */
export function stringEnd(text: string, at: number): number {
  let quote = text.indexOf('"', at);
  while (quote > at && text.charCodeAt(quote - 1) === 92) {
    let first = quote - 1;
    while (first > at && text.charCodeAt(first - 1) === 92) first -= 1;
    if ((quote - first) % 2 === 0) break;
    quote = text.indexOf('"', quote + 1);
  }
  return quote < 0 ? text.length : quote + 1;
}

function numberEnd(text: string, at: number, numbers: number[]): number {
  const start = at - 1;
  let end = at;
  let hasExponent = false;
  for (; ; end += 1) {
    const unit = text.charCodeAt(end);
    if ((unit >= 48 && unit <= 57) || unit === 46 || unit === 43 || unit === 45) continue;
    if (unit !== 101 && unit !== 69) break;
    hasExponent = true;
  }
  if (!isPlainNumber(end - start, hasExponent)) numbers.push(start, end);
  return end;
}

/** Number of keys that the objects of a parsed value have. Depth was bounded by the scan. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    const items = value as unknown[];
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      if (typeof item === 'object' && item !== null) keys += countKeys(item);
    }
    return keys;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) {
    keys += 1;
    const item = object[key];
    if (typeof item === 'object' && item !== null) keys += countKeys(item);
  }
  return keys;
}
