import type { RefConversion } from '#schemas/types/reference.ts';

/** Result of `convert` for a value that cannot be read so. */
export const unreadable = Symbol('unreadable');

/** Reads a value as `:int`, `:number`, `:bool` or `:json` ask. */
export function convert(value: unknown, conversion: RefConversion): unknown {
  switch (conversion) {
    case 'int':
    case 'number': {
      const number = toNumber(value);
      return number === undefined || (conversion === 'int' && !Number.isInteger(number)) ? unreadable : number;
    }
    case 'bool':
      if (typeof value === 'boolean') return value;
      return value === 'true' ? true : value === 'false' ? false : unreadable;
    case 'json':
      return typeof value === 'string' ? parsed(value) : value;
    default:
      return conversion satisfies never;
  }
}

/**
 * Text that is the whole value, where the schema takes only numbers or booleans: read as JSON, else left to the
 * validator.
 */
export function readScalar(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const read = parsed(value);
  return typeof read === 'boolean' || (typeof read === 'number' && toNumber(value) !== undefined) ? read : value;
}

/** Numbers and booleans where the schema takes only text. */
export function writeScalar(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : value;
}

/** Form of a value inside a longer text. */
export function inText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/**
 * A JSON number, or a text that is one; undefined otherwise, and for whole numbers that lose digits: files may not hold
 * those as numbers either.
 */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const number = Number(text);
  if (/^[+-]?\d+$/.test(text)) return Number.isSafeInteger(number) ? number : undefined;
  return /^[+-]?(\d+\.\d*|\.?\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(number) ? number : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return unreadable;
  }
}
