import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { WrittenMatrix } from './ast.ts';

/** Combinations that a file may have. */
export const MOST_COMBINATIONS = 1000;

/** One combination of a matrix. */
export interface Combination {
  readonly values: JsonObject;
  /** `key=value,…`, in the order of the axes: no two combinations have one name. */
  readonly name: string;
}

/** Combinations in the order of their axes, the last one changing fastest; those included stand behind. */
export function combinationsOf({ axes, include, exclude }: WrittenMatrix): readonly Combination[] {
  let all: readonly JsonObject[] = [{}];
  for (const { name, values } of axes)
    all = all.flatMap((before) => values.map((value) => ({ ...before, [name]: value })));
  const kept = all.filter((each) => !exclude.some((out) => holds(each, out)));
  const unique = new Map(
    [...kept, ...include].map((each) => [JSON.stringify(axes.map(({ name }) => each[name] ?? null)), each]),
  );
  const whole = [...unique.values()];
  const names = axes.map(({ name }) => ({ name, texts: namesOf(whole.map((each) => each[name] ?? null)) }));
  return whole.map((values, index) => ({
    values,
    name: names.map(({ name, texts }) => `${name}=${texts[index] ?? ''}`).join(','),
  }));
}

function holds(values: JsonObject, part: JsonObject): boolean {
  return Object.entries(part).every(([key, value]) => isSame(values[key] ?? null, value));
}

/** Whether two values are written alike. */
export function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Texts, numbers and words stand for themselves; what is longer, has parts, or would read like another, `(n)` by its
 * order.
 */
function namesOf(values: readonly Json[]): readonly string[] {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return values.map((value) => {
    const key = JSON.stringify(value);
    const known = names.get(key);
    if (known !== undefined) return known;
    const own = nameOf(value);
    const name = own === undefined || taken.has(own) ? `(${names.size + 1})` : own;
    names.set(key, name);
    taken.add(name);
    return name;
  });
}

function nameOf(value: Json): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const text = String(value);
  // A name stands in ids and paths: nothing in it may end them.
  return /^[\p{L}\p{N}_.+@-][\p{L}\p{N}_.+@ -]{0,39}$/u.test(text) && !text.endsWith(' ') ? text : undefined;
}
