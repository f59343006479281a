import { countKeys, scanJson } from '#grammar/document/json/scan.ts';
import { numberProblem } from '#grammar/document/number.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

import { isRawNumber, parseLossless } from '../lossless-json.ts';

/** Nesting beyond this is refused: nothing that people write is that deep. */
const DEEPEST = 1000;

export interface LinePlace {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** The object that a line holds. A key that stands twice and a number that would change are refused. */
export function recordOf(text: string, { path, line }: LinePlace): JsonObject {
  const broken = (cause?: unknown): Error => fail.jsonLineBroken({ path, line, cause });
  const scan = scanJson(text, DEEPEST);
  if (scan.tooDeepAt !== undefined) throw broken();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken(cause);
  }
  if (!isObject(value)) throw broken();
  if (countKeys(value) !== scan.keys) throw fail.jsonLineDuplicateKey({ path, line });
  const inexact = inexactNumber(parseLossless(text));
  if (inexact !== undefined) throw fail.numberNotExact({ number: inexact, path });
  return value;
}

function inexactNumber(value: unknown): string | undefined {
  if (isRawNumber(value)) return numberProblem(value.rawJSON) === undefined ? undefined : value.rawJSON;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const item of Object.values(value)) {
    const found = inexactNumber(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
