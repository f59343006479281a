import type { Span } from '#schemas/types/place.ts';

import type { Document } from './document.ts';
import { ALIASED } from './places.ts';
import { TextDocument } from './text-document.ts';

/** The YAML aliases of a document that was read from text, those that stand for keys too, in order. */
export function aliasesIn(document: Document): readonly Span[] {
  // Few files have any, and most of them no star.
  if (!(document instanceof TextDocument) || document.format === 'json' || !document.text.includes('*')) return [];
  const { places, text } = document;
  const found: Span[] = [];
  for (let id = 0; id < places.count; id += 1) {
    const key = places.key(id);
    if (key !== undefined && text.charAt(key.start) === '*') found.push(key);
    if (places.kind(id) === ALIASED) found.push({ start: places.start(id), end: places.end(id) });
  }
  return found.toSorted((one, other) => one.start - other.start);
}
