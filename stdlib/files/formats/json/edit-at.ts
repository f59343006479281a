import * as fail from '#schemas/generated/failures.ts';

import { indexIn, isContainer, valueAt } from '../key-path.ts';

/** Keys that many programs that read JSON take for more than a key. */
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Sets a value and yields the document: its top is a new one where a scalar stood in the way. Objects that are missing on the
 * way are made; a list takes an element at its end, and none beyond.
 */
export function setAt(document: unknown, segments: readonly string[], value: unknown): unknown {
  const bad = segments.find((segment) => forbidden.has(segment));
  if (bad !== undefined) throw fail.keyForbidden({ key: bad });
  const top = Array.isArray(document) || isContainer(document) ? document : {};
  let current: unknown[] | Record<string, unknown> = top as Record<string, unknown>;
  segments.forEach((segment, depth) => {
    const at = segments.slice(0, depth).join('.') || '.';
    const key = Array.isArray(current) ? placeIn(current, segment, at) : segment;
    const holder = current as Record<string | number, unknown>;
    const isLast = depth === segments.length - 1;
    const there = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (isLast) holder[key] = value;
    else if (Array.isArray(there) || isContainer(there)) current = there as Record<string, unknown>;
    else current = holder[key] = {};
  });
  return top;
}

function placeIn(list: readonly unknown[], segment: string, at: string): number {
  const index = indexIn(list, segment);
  if (index === undefined) throw fail.keyInList({ key: segment, at });
  if (index < 0 || index > list.length) throw fail.indexOutOfRange({ index: Number(segment), at, length: list.length });
  return index;
}

/** Removes a value in place; false where there is none. Later elements of a list move up. */
export function deleteAt(document: unknown, segments: readonly string[]): boolean {
  const holder = valueAt(document, segments.slice(0, -1));
  const last = segments.at(-1) ?? '';
  if (Array.isArray(holder)) {
    const index = indexIn(holder, last);
    if (index === undefined || index < 0 || index >= holder.length) return false;
    holder.splice(index, 1);
    return true;
  }
  if (!isContainer(holder) || !Object.hasOwn(holder, last)) return false;
  delete holder[last];
  return true;
}
