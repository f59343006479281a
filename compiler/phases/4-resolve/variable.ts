import type { Label } from '#schemas/types/diagnostic.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import { stepRoute } from '../3-parse/routes.ts';

import type { Call } from './resolved.ts';
import { ANY, typeAt, union, type Type } from './value-type.ts';

/** A type that is worked out when it is first asked for. Most are never asked for. */
export class TypeCell {
  #make: (() => Type) | undefined;
  #type: Type = ANY;
  /** Number of cells behind this one, in a chain, that are not worked out. */
  readonly depth: number;

  constructor(make: () => Type, behind: readonly TypeCell[] = NOTHING) {
    this.#make = make;
    let depth = 1;
    for (const cell of behind) depth = Math.max(depth, cell.depth + 1);
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
const NOTHING: readonly TypeCell[] = [];

export const ANY_CELL = new TypeCell(() => ANY);

/**
 * Reason why a variable may be missing, or a session open or not: the way that makes the difference. `list`: a command
 * runs none of its steps; `again`: a further round of a loop; `use`: some ways through a file.
 */
export interface Gap {
  readonly kind: 'when' | 'branch' | 'list' | 'loop' | 'again' | 'row' | 'use';
  /** The step that may not define it. */
  readonly call: Call;
}

/** Facts about a variable where a step is reached. */
export interface Variable {
  readonly cell: TypeCell;
  /** Call that defined it last; absent where it comes from outside. */
  readonly from?: Call | undefined;
  /** Present where it may be missing. */
  readonly gap?: Gap | undefined;
  /** Its definitions, where it has one of several. */
  readonly either?: readonly Variable[];
  /** Place where it is made, for one that another file leaves. */
  readonly outside?: Label | undefined;
  /** Source of its value, where that is one reference: a variable, or a column or key outside. */
  readonly behind?: { readonly name: string; readonly variable: Variable } | undefined;
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
  const { from, outside, behind } = first;
  const either = more.length > 0 && { either: variables };
  return { cell, from, ...either, ...(open && { gap: open }), ...(outside && { outside }), ...(behind && { behind }) };
}

/** Cell for a path into a variable. */
export function cellAt(cell: TypeCell, path: Route): TypeCell {
  return path.length === 0 ? cell : new TypeCell(() => typeAt(cell.get(), path) ?? ANY, [cell]);
}

/** Places of a chain that a finding shows. */
const MOST_PLACES = 5;

/** Places that a value comes from: the step that made the variable, the one that made its source, and so on. */
export function placesOf(name: string, variable: Variable, source: SourceId): readonly Label[] {
  const places: Label[] = [];
  let link: Variable['behind'] = { name, variable };
  while (link !== undefined && places.length < MOST_PLACES) {
    const { from, outside, behind }: Variable = link.variable;
    const text = places.length === 0 ? `"${link.name}" is defined here` : `from "${link.name}", which is defined here`;
    if (outside !== undefined) places.push({ ...outside, text: outside.text ?? text });
    else if (from !== undefined) places.push({ source, route: stepRoute(from.step), part: 'value', text });
    link = behind;
  }
  return places;
}
