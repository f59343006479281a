import type { Route } from '#schemas/types/place.ts';

import type { Call } from './resolved.ts';
import { ANY, typeAt, union, type Type } from './value-type.ts';

/** A type that is worked out when it is first asked for. Most are never asked for. */
export class TypeCell {
  #make: (() => Type) | undefined;
  #type: Type = ANY;
  /** How many cells stand behind this one that are not worked out. */
  readonly depth: number;

  constructor(make: () => Type, behind: readonly TypeCell[] = []) {
    this.#make = make;
    const depth = behind.reduce((most, cell) => Math.max(most, cell.depth), 0) + 1;
    this.depth = depth < MOST_BEHIND ? depth : 0;
    // A long chain is never worked out in one go.
    if (depth >= MOST_BEHIND) this.get();
  }

  get(): Type {
    const make = this.#make;
    if (make === undefined) return this.#type;
    this.#make = undefined;
    this.#type = make();
    return this.#type;
  }
}

const MOST_BEHIND = 50;

export const ANY_CELL = new TypeCell(() => ANY);

/** Why a variable may be missing: the way on which nothing defines it. */
export interface Gap {
  readonly kind: 'when' | 'branch' | 'loop';
  /** The step that may not define it. */
  readonly call: Call;
}

/** What is known of a variable where a step is reached. */
export interface Variable {
  readonly cell: TypeCell;
  /** Where it was defined last; absent where it comes from outside. */
  readonly from?: Call | undefined;
  /** Present where it may be missing. */
  readonly gap?: Gap | undefined;
}

/** A variable of which nothing is known but its name. */
export const UNTYPED: Variable = { cell: ANY_CELL };

/** Either of several definitions. */
export function eitherOf(variables: readonly Variable[], gap?: Gap): Variable {
  const [first = UNTYPED, ...others] = variables;
  const cells = [...new Set(variables.map(({ cell }) => cell))];
  const [only = ANY_CELL, ...more] = cells;
  const cell = more.length === 0 ? only : new TypeCell(() => union(cells.map((each) => each.get())), cells);
  const open = gap ?? first.gap ?? others.find((each) => each.gap)?.gap;
  return { cell, from: first.from, ...(open && { gap: open }) };
}

/** What stands at a path into a variable. */
export function cellAt(cell: TypeCell, path: Route): TypeCell {
  return path.length === 0 ? cell : new TypeCell(() => typeAt(cell.get(), path) ?? ANY, [cell]);
}
