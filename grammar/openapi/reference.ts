import { addAll } from '#grammar/source/add-all.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { percentDecoded } from '../source/percent-decoded.ts';

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
  if (!isObject(value)) return undefined;
  const { $ref: plain, $dynamicRef: dynamic } = value;
  return typeof plain === 'string' ? plain : typeof dynamic === 'string' ? dynamic : undefined;
}

/** Keywords that stand beside a reference: from version 3.1 on they count, before they do not. */
export function keywordsBeside(given: Json | undefined, document: JsonObject): JsonObject | undefined {
  if (referenceOf(given) === undefined || !isFrom31(document)) return undefined;
  const { $ref: _plain, $dynamicRef: _dynamic, ...beside } = given as JsonObject;
  return Object.keys(beside).length > 0 ? beside : undefined;
}

/** Whether a document has schemas of JSON Schema 2020-12, as those from version 3.1 on. */
export function isFrom31({ openapi }: JsonObject): boolean {
  return typeof openapi === 'string' && !openapi.startsWith('3.0');
}

/** Whether all references of a schema lead somewhere, at any depth: of others nobody knows what they allow. */
export function isWhole(schema: Json, document: JsonObject): boolean {
  const waiting: Json[] = [schema];
  const seen = new Set<Json>();
  for (const value of waiting) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const reference = referenceOf(value);
    const target = reference === undefined ? null : atPointer(document, reference);
    if (target === undefined) return false;
    waiting.push(target, ...Object.values(value));
  }
  return true;
}

/** Value at a reference such as `#/components/schemas/Order`; undefined: nothing in this document. */
function atPointer(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return atAddress(document, reference);
  if (/^#[^/]/.test(reference)) return atAnchor(document, percentDecoded(reference.slice(1)));
  return (
    below(document, reference.slice(1)) ??
    // Inside a schema with an address of its own, pointers begin there.
    firstOf(document, (value) => ('$id' in value ? below(value, reference.slice(1)) : undefined))
  );
}

/** The schema that gives itself an address, or something inside it. */
function atAddress(document: JsonObject, reference: string): Json | undefined {
  const [address = '', pointer = ''] = reference.split('#', 2);
  return firstOf(document, (value) => (value['$id'] === address ? below(value, pointer) : undefined));
}

function below(start: JsonObject, pointer: string): Json | undefined {
  let current: Json = start;
  for (const piece of pointer.split('/').slice(1)) {
    const key = percentDecoded(piece).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Readonly<Record<string, Json>>)[key] ?? null;
  }
  return current;
}

/** The first schema that has this name for an anchor. */
function atAnchor(document: JsonObject, name: string): Json | undefined {
  return firstOf(document, (value) => {
    const { $anchor: plain, $dynamicAnchor: dynamic } = value;
    return plain === name || dynamic === name ? value : undefined;
  });
}

/** Finds something in the objects of a document, in outer ones first. */
function firstOf(document: JsonObject, find: (value: JsonObject) => Json | undefined): Json | undefined {
  const waiting: Json[] = [document];
  for (const value of waiting) {
    if (typeof value !== 'object' || value === null) continue;
    const found = isObject(value) ? find(value) : undefined;
    if (found !== undefined) return found;
    addAll(waiting, Object.values(value));
  }
  return undefined;
}
