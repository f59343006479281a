import { numberProblem } from '#grammar/document/number.ts';
import * as fail from '#schemas/generated/failures.ts';

import { isRawNumber } from '../lossless-json.ts';

/** The value with ordinary numbers; fails for one that would not be the same number afterwards. */
export function plainJson(value: unknown, path: string): unknown {
  if (isRawNumber(value)) {
    if (numberProblem(value.rawJSON) !== undefined) throw fail.numberNotExact({ number: value.rawJSON, path });
    return Number(value.rawJSON);
  }
  if (Array.isArray(value)) return value.map((item) => plainJson(item, path));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item, path)]));
}
