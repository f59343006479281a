import type { JsonObject } from '#schemas/types/json.ts';

/** A decision: the condition that it asks (`test`), and the schema of one name (`leaf`). */
export interface Dispatch {
  /** The condition that a text matches a pattern: of a name itself, or of the list that it begins. */
  test(pattern: string): JsonObject;
  leaf(name: string): JsonObject;
}

/**
 * A schema that finds what belongs to a name by halving: `if … then … else …` over ranges of the letter in which names
 * differ, so that a validator asks about ten questions where a list of all names takes hundreds. Holds only for one of
 * `names`: whoever uses it asks first (`oneOf`), once instead of at every leaf.
 */
export function dispatch(names: readonly string[], how: Dispatch): JsonObject {
  return decide([...names].sort(), 0, how);
}

/** The schema of a text that is one of `names`. */
export function oneOf(names: readonly string[]): JsonObject {
  return { pattern: `^${oneOfPattern([...names].sort(), 0)}$` };
}

/** Alternatives that name what they share once: a list of 700 whole names is tried from its start for each text. */
function oneOfPattern(names: readonly string[], shared: number): string {
  const groups = byLetter(names, shared);
  const parts = groups.map(([letter, group]) => (letter === '' ? '' : letter + oneOfPattern(group, shared + 1)));
  const [only = ''] = parts;
  return parts.length > 1 ? `(${parts.join('|')})` : only;
}

/** `names` are sorted and agree in their first `shared` letters. */
function decide(names: readonly string[], shared: number, how: Dispatch): JsonObject {
  const [first, ...others] = names;
  if (first === undefined) return {};
  if (others.length === 0) return how.leaf(first);
  const groups = byLetter(names, shared);
  const [[letter, only] = ['', names], second] = groups;
  if (second === undefined) return decide(only, shared + 1, how);
  // A name that ends where the others go on.
  if (letter === '') return { if: how.test(`^${first}$`), then: how.leaf(first), else: decide(others, shared, how) };
  const half = middle(groups);
  const [low, high] = [groups.slice(0, half), groups.slice(half)];
  const last = low.at(-1)?.[0] ?? letter;
  const letters = last === letter ? letter : `[${letter}-${last}]`;
  return {
    if: how.test(`^${first.slice(0, shared)}${letters}`),
    then: decide(flat(low), shared, how),
    else: decide(flat(high), shared, how),
  };
}

type Groups = readonly (readonly [letter: string, names: readonly string[]])[];

function byLetter(names: readonly string[], place: number): Groups {
  return [...Map.groupBy(names, (name) => name.charAt(place))];
}

function flat(groups: Groups): readonly string[] {
  return groups.flatMap(([, names]) => names);
}

/** The number of groups that hold the first half of all names; at least one, and not all. */
function middle(groups: Groups): number {
  const all = flat(groups).length;
  let count = 0;
  const reached = groups.findIndex(([, names]) => (count += names.length) >= all / 2);
  return Math.min(Math.max(reached + 1, 1), groups.length - 1);
}
