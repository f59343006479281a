import type { Json, JsonObject } from '#schemas/types/json.ts';

/** What a decision looks at (`test`), and what holds for one name or for none of them. */
export interface Dispatch {
  /** The condition that a text matches a pattern: of a name itself, or of the list that it begins. */
  test(pattern: string): JsonObject;
  leaf(name: string): Json;
  readonly otherwise?: JsonObject;
}

/**
 * A schema that finds what belongs to a name by halving: `if … then … else …` over ranges of the letter in which names
 * differ, so that a validator asks about ten questions where a list of all names takes hundreds.
 */
export function dispatch(names: readonly string[], how: Dispatch): JsonObject {
  return decide([...names].sort(), 0, how);
}

/** `names` are sorted and agree in their first `shared` letters. */
function decide(names: readonly string[], shared: number, how: Dispatch): JsonObject {
  const [first, ...others] = names;
  if (first === undefined) return how.otherwise ?? {};
  if (others.length === 0) return exactly(first, how);
  const groups = byLetter(names, shared);
  const [[letter, only] = ['', names], second] = groups;
  if (second === undefined) return decide(only, shared + 1, how);
  // A name that ends where the others go on.
  if (letter === '') return { ...exactly(first, how), else: decide(others, shared, how) };
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

function exactly(name: string, how: Dispatch): JsonObject {
  return {
    if: how.test(`^${name}$`),
    then: how.leaf(name),
    ...(how.otherwise ? { else: how.otherwise } : {}),
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
