import * as d from '#schemas/generated/diagnostics.ts';
import type { Json } from '#schemas/types/json.ts';
import { loneSurrogate, hex } from '#grammar/source/text.ts';

import type { Findings } from '../findings.ts';
import { jsonPlaces, jsonText } from './places.ts';
import { countKeys, scanJson } from './scan.ts';
import type { JsonScan } from './scan.ts';
import { jsonTextOffset } from './text-offset.ts';
import type { ReadLimits } from '../limits.ts';
import { OBJECT, SCALAR } from '../places.ts';
import type { PlaceId, Places } from '../places.ts';
import type { Reading } from '../reading.ts';
import type { Format } from '../text-document.ts';

/**
 * Reads JSON (RFC 8259): one scan that bounds the depth, then JSON.parse. Keys are counted in both: a difference means
 * a duplicate, and only then it is looked for. `syntax: false` in the result says that JSON.parse refused the text;
 * why, and where, tells `reportJsonErrors`.
 */
export function readJson(text: string, limits: ReadLimits, findings: Findings): Reading {
  const scan = scanJson(text, limits.depth);
  if (scan.tooDeepAt !== undefined) {
    findings.add(
      d.tooDeep({ at: findings.at({ start: scan.tooDeepAt, end: scan.tooDeepAt + 1 }), limit: limits.depth }),
    );
    return { kind: 'refused' };
  }
  const value = parsed(text);
  if (value === undefined) return isBlank(text) ? empty(findings) : { kind: 'syntax-error', offset: 0, reason: '' };
  let places: Places | undefined;
  const placesOnce = (): Places => (places ??= jsonPlaces(text));
  judge(text, scan, value, placesOnce, findings);
  return { kind: 'read', value, hasAliases: false, format: jsonFormat(text, placesOnce) };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

function empty(findings: Findings): Reading {
  findings.add(d.emptyFile({ at: findings.at({ start: 0, end: 0 }) }));
  return { kind: 'refused' };
}

function judge(text: string, scan: JsonScan, value: Json, places: () => Places, findings: Findings): void {
  // First, since there may be more numbers than findings that are told.
  if (countKeys(value) !== scan.keys) reportDuplicates(places(), findings);
  for (let index = 0; index < scan.numbers.length; index += 2) {
    const span = { start: scan.numbers[index] ?? 0, end: scan.numbers[index + 1] ?? 0 };
    findings.number(text.slice(span.start, span.end), span, () => places().route(places().at(span.start)));
  }
  if (scan.surrogateAt >= 0) reportLoneSurrogates(text, places(), findings);
}

function reportDuplicates(places: Places, findings: Findings): void {
  for (let holder: PlaceId = 0; holder < places.count; holder += 1) {
    if (places.kind(holder) !== OBJECT) continue;
    const seen = new Map<string, PlaceId>();
    for (const child of places.children(holder)) {
      const key = places.keyText(child);
      const first = seen.get(key);
      if (first === undefined) seen.set(key, child);
      else reportDuplicate(places, findings, first, child, key);
    }
  }
}

function reportDuplicate(places: Places, findings: Findings, first: PlaceId, second: PlaceId, key: string): void {
  const at = findings.at(places.key(second) ?? places.value(second));
  const related = [findings.at(places.key(first) ?? places.value(first), 'first')];
  findings.add(d.duplicateKey({ at, key, related }), places.route(second));
}

function reportLoneSurrogates(text: string, places: Places, findings: Findings): void {
  for (let id: PlaceId = 0; id < places.count; id += 1) {
    for (const span of [places.key(id), places.kind(id) === SCALAR ? places.value(id) : undefined]) {
      if (span === undefined || text.charCodeAt(span.start) !== 34) continue;
      const value = jsonText(text, span.start, span.end);
      const unit = loneSurrogate(value);
      if (unit < 0) continue;
      const start = jsonTextOffset(text, span.start, span.end, unit);
      findings.add(
        d.loneSurrogate({ at: findings.at({ start, end: start + 6 }), unit: hex(value.charCodeAt(unit), 4) }),
        places.route(id),
      );
    }
  }
}

function jsonFormat(text: string, places: () => Places): Format {
  return {
    name: 'json',
    places,
    comments: () => [],
    textOffset(table, id, offset) {
      const { start, end } = table.value(id);
      return text.charCodeAt(start) === 34 ? jsonTextOffset(text, start, end, offset) : undefined;
    },
  };
}
