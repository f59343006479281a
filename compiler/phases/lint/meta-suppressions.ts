import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label, Report } from '#schemas/types/diagnostic.ts';
import { isList, isObject, pointerKeys, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { valueAt } from '../3-parse/routes.ts';
import { ruleNamed } from './rule-names.ts';
import type { Suppression } from './suppression.ts';

const own = ['meta', 'lint', 'ignore'] as const;

/**
 * Entries of `meta.lint.ignore`: `{rule, reason, route}`. A route is a list of keys and indexes, or a JSON
 * pointer; without one the entry speaks of the whole file. Anything else is reported.
 */
export function metaSuppressions(document: Document, report: Report): readonly Suppression[] {
  const ignore = valueAt(document.value, own);
  if (ignore === undefined || ignore === null) return [];
  const label = (route: Route): Label => ({ source: document.source, route, part: 'value' });
  if (!isList(ignore)) {
    report(d.validSuppression({ at: label(own) }));
    return [];
  }
  return ignore.flatMap((entry, index) => {
    const at = label([...own, index]);
    const read = readEntry(entry);
    if (!read) {
      report(d.validSuppression({ at, key: foreignKey(entry) }));
      return [];
    }
    const operations = [
      { kind: 'remove', route: ignore.length === 1 ? ['meta', 'lint', 'ignore'] : at.route },
    ] as const;
    return [
      {
        ...read,
        at,
        covers: coverOf(read.route, document),
        removal: { title: 'remove the entry', safety: 'safe', operations },
      },
    ];
  });
}

interface Entry {
  readonly rule: string;
  readonly reason: string;
  /** Absent: the whole file. */
  readonly route?: Route;
}

function readEntry(entry: Json): Entry | undefined {
  if (!isObject(entry)) return undefined;
  const { rule, reason = '', route } = entry;
  if (typeof rule !== 'string' || typeof reason !== 'string' || foreignKey(entry) !== undefined) return undefined;
  const read = { rule: ruleNamed(rule), reason: reason.trim() };
  if (route === undefined) return read;
  const pieces =
    typeof route === 'string' ? fromPointer(route) : isList(route) && route.every(isPiece) ? route : undefined;
  return pieces && { ...read, route: pieces };
}

/** Key that does not belong to an entry: in flow style a comma inside the reason begins one. */
function foreignKey(entry: Json): string | undefined {
  return isObject(entry)
    ? Object.keys(entry).find((key) => key !== 'rule' && key !== 'reason' && key !== 'route')
    : undefined;
}

function isPiece(piece: Json): piece is string | number {
  return typeof piece === 'string' || typeof piece === 'number';
}

/** RFC 6901; undefined where it is none. */
function fromPointer(text: string): Route | undefined {
  if (text !== '' && !text.startsWith('/')) return undefined;
  return pointerKeys(text);
}

function coverOf(route: Route | undefined, document: Document): Suppression['covers'] {
  if (route === undefined) return [{ start: 0, end: Infinity }];
  const found = fitted(route, document.value);
  if (!found) return [];
  const value = document.spanAt(found);
  return [{ start: value.start, end: Math.max(value.end, value.start + 1) }, document.spanAt(found, 'key')];
}

/** The route with the indexes of lists as numbers, as a pointer cannot write them; undefined where it leads nowhere. */
function fitted(route: Route, top: Json): Route | undefined {
  const found: (string | number)[] = [];
  let value: Json | undefined = top;
  for (const piece of route) {
    const step: string | number =
      isList(value) && typeof piece === 'string' && /^\d+$/.test(piece) ? Number(piece) : piece;
    value = valueAt(value, [step]);
    if (value === undefined) return undefined;
    found.push(step);
  }
  return found;
}
