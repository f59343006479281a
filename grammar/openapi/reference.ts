import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** A chain of references that is longer leads in a circle. */
const HOPS = 32;

/**
 * The value that a local `$ref` (`#/components/…`) leads to, or the value itself. One that leads nowhere,
 * outside of the document or in a circle is an empty object: it allows everything, so that no problem is found
 * where nothing is known.
 */
export function resolved(value: Json | undefined, document: JsonObject): Json {
  let current: Json = value ?? null;
  for (let hop = 0; hop <= HOPS; hop++) {
    if (!isObject(current) || typeof current['$ref'] !== 'string') return current;
    const target = atPointer(document, current['$ref']);
    if (target === undefined) return {};
    current = target;
  }
  return {};
}

/** The same for what has to be an object; an empty one where it is none. */
export function resolvedObject(value: Json | undefined, document: JsonObject): JsonObject {
  const found = resolved(value, document);
  return isObject(found) ? found : {};
}

/** Value at a reference such as `#/components/schemas/Order`; undefined: nothing in this document. */
function atPointer(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let current: Json = document;
  for (const piece of reference.slice(1).split('/').slice(1)) {
    const key = decoded(piece).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Readonly<Record<string, Json>>)[key] ?? null;
  }
  return current;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
