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
    const reference = referenceOf(current);
    if (reference === undefined) return current;
    const target = atPointer(document, reference);
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

/** The reference that stands in place of a value; undefined: it is a value itself. */
export function referenceOf(value: Json | undefined): string | undefined {
  if (!isObject(value ?? null)) return undefined;
  const { $ref: plain, $dynamicRef: dynamic } = value as JsonObject;
  return typeof plain === 'string' ? plain : typeof dynamic === 'string' ? dynamic : undefined;
}

/** Value at a reference such as `#/components/schemas/Order`; undefined: nothing in this document. */
function atPointer(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  if (/^#[^/]/.test(reference)) return atAnchor(document, decoded(reference.slice(1)));
  let current: Json = document;
  for (const piece of reference.slice(1).split('/').slice(1)) {
    const key = decoded(piece).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Readonly<Record<string, Json>>)[key] ?? null;
  }
  return current;
}

/** The first schema that has this name for an anchor. */
function atAnchor(document: JsonObject, name: string): Json | undefined {
  const waiting: Json[] = [document];
  for (const value of waiting) {
    if (typeof value !== 'object' || value === null) continue;
    const { $anchor: plain, $dynamicAnchor: dynamic } = value as JsonObject;
    if (plain === name || dynamic === name) return value;
    waiting.push(...(Object.values(value) as Json[]));
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
