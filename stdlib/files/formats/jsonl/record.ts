import { Findings } from '#grammar/document/findings.ts';
import { reportJsonErrors } from '#grammar/document/json/errors.ts';
import { countKeys, scanJson } from '#grammar/document/json/scan.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

import { inexactNumber } from '../inexact-number.ts';

/** Nesting beyond this is refused: nothing that people write is that deep. */
const DEEPEST = 1000;

export interface LinePlace {
  readonly path: string;
  /** Number of the line, from 1. */
  readonly line: number;
}

/** The object that a line holds. A key that stands twice and a number that would change are refused. */
export function recordOf(text: string, place: LinePlace): JsonObject {
  const scan = scanJson(text, DEEPEST);
  if (scan.tooDeepAt !== undefined)
    throw fail.jsonLineBroken({
      ...place,
      column: scan.tooDeepAt + 1,
      reason: `it is nested deeper than ${DEEPEST} levels`,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(text, place);
  }
  if (!isObject(value)) throw fail.jsonLineBroken({ ...place, column: 1, reason: 'another value stands here' });
  if (countKeys(value) !== scan.keys) throw fail.jsonLineDuplicateKey({ ...place });
  const number = scan.numbers.length === 0 ? undefined : inexactNumber(text);
  if (number !== undefined) throw fail.numberNotExact({ number, path: place.path });
  return value;
}

function broken(text: string, place: LinePlace): Failure {
  const findings = new Findings(place.path);
  reportJsonErrors(text, findings);
  const [first] = findings.diagnostics;
  const part = first?.primary.part;
  const column = typeof part === 'object' && 'text' in part ? part.text.start + 1 : 1;
  return fail.jsonLineBroken({ ...place, column, reason: first?.message ?? '' });
}
