import { CORE_SCHEMA, load } from 'js-yaml';

import type { Json } from '#schemas/types/json.ts';

/** Values that one text may stand for, aliases written out. */
const MOST = 1_000_000;
const DEEPEST = 256;

/**
 * The value of a YAML text of other programs, such as an OpenAPI document: keys may be numbers, which become texts.
 * Throws with a reason where it cannot be read, and where its aliases stand for more than a million values.
 */
export function readPlainYaml(text: string): Json {
  const budget = { left: MOST };
  return plain(load(text, { schema: CORE_SCHEMA }), budget, 0);
}

function plain(value: unknown, budget: { left: number }, depth: number): Json {
  budget.left -= 1;
  if (budget.left < 0) throw new Error(`it stands for more than ${MOST} values`);
  if (depth > DEEPEST) throw new Error(`it is nested deeper than ${DEEPEST} levels`);
  if (Array.isArray(value)) return value.map((item: unknown) => plain(item, budget, depth + 1));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, budget, depth + 1)]));
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
