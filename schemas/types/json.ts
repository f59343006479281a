/** Any value that JSON and YAML 1.2 core can write. Values that come from a file are never mutated. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a value is a JSON object (not null, not a list). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON list. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Keys of a JSON pointer (RFC 6901), from the outermost; none for the whole. */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((piece) => piece.replaceAll('~1', '/').replaceAll('~0', '~'));
}
