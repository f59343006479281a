import { DirectedGraph } from 'graphology';
import { topologicalGenerations } from 'graphology-dag';

/** Names of which some must come before others, without a cycle. */
export interface Dag {
  /** Dependencies first; else in the order given. */
  readonly order: readonly string[];
  readonly dependencies: (name: string) => readonly string[];
  readonly dependents: (name: string) => readonly string[];
  /** Whether `later` depends on `earlier`, directly or through others. */
  readonly isBefore: (earlier: string, later: string) => boolean;
  /** Names that could run at the same time, in their order. */
  readonly generations: () => readonly (readonly string[])[];
}

/** A cycle as people read it: each name depends on the next, and the last is the first again. */
export interface Cycle {
  readonly cycle: readonly string[];
}

/**
 * Orders names by their dependencies. Dependencies that are no names are left out: who gives them has reported them.
 * Linear in names and edges.
 */
export function orderByDependency(
  names: readonly string[],
  dependencies: (name: string) => readonly string[],
): Dag | Cycle {
  const graph = new DirectedGraph();
  const keys = names.map(keyOf);
  for (const key of keys) graph.mergeNode(key);
  for (const [index, name] of names.entries())
    for (const before of dependencies(name).map(keyOf)) if (graph.hasNode(before)) graph.mergeEdge(before, keys[index]);
  const walked = walk(keys, (key) => graph.inNeighbors(key));
  if ('cycle' in walked) return { cycle: walked.cycle.map(nameOf) };
  const { order } = walked;
  let reach: Reach | undefined;
  return {
    order: order.map(nameOf),
    dependencies: (name) => graph.inNeighbors(keyOf(name)).map(nameOf),
    dependents: (name) => graph.outNeighbors(keyOf(name)).map(nameOf),
    isBefore: (earlier, later) => (reach ??= new Reach(graph, order)).isBefore(keyOf(earlier), keyOf(later)),
    generations: () => topologicalGenerations(graph).map((generation) => generation.map(nameOf)),
  };
}

/** A name as the graph keeps it: in objects, in which those that every object has (`__proto__`) mean something else. */
function keyOf(name: string): string {
  return `.${name}`;
}

function nameOf(key: string): string {
  return key.slice(1);
}

/** More circles than that in one file are told of when these are mended. */
const MOST_CYCLES = 20;

/** A circle, and those that remain without its names; at most twenty. */
export function allCycles(
  { cycle }: Cycle,
  names: readonly string[],
  dependencies: (name: string) => readonly string[],
): readonly Cycle[] {
  const cycles: Cycle[] = [];
  const told = new Set<string>();
  for (let next: Cycle | undefined = { cycle }; next !== undefined && cycles.length < MOST_CYCLES;) {
    cycles.push(next);
    for (const name of next.cycle) told.add(name);
    const ordered = orderByDependency(
      names.filter((name) => !told.has(name)),
      dependencies,
    );
    next = 'cycle' in ordered ? ordered : undefined;
  }
  return cycles;
}

/** Names of which none waits for another. */
export function unordered(names: readonly string[]): Dag {
  return {
    order: names,
    dependencies: () => [],
    dependents: () => [],
    isBefore: () => false,
    generations: () => [names],
  };
}

/** Depth first with a stack of its own: a chain may be a million names long. */
function walk(
  names: readonly string[],
  dependencies: (name: string) => readonly string[],
): { order: string[] } | Cycle {
  const order: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const name of names) {
    const stack = [{ name, rest: pending(name, state, dependencies) }];
    while (stack.length > 0) {
      const top = stack.at(-1);
      if (top === undefined) break;
      const next = top.rest.pop();
      if (next === undefined) {
        if (state.get(top.name) === 'open') order.push(top.name);
        state.set(top.name, 'done');
        stack.pop();
      } else if (state.get(next) === 'open') {
        const open = stack.map((entry) => entry.name);
        return { cycle: [...open.slice(open.indexOf(next)), next] };
      } else {
        stack.push({ name: next, rest: pending(next, state, dependencies) });
      }
    }
  }
  return { order };
}

/** The dependencies of a name that is entered for the first time, last first; none where it is done. */
function pending(
  name: string,
  state: Map<string, 'open' | 'done'>,
  dependencies: (name: string) => readonly string[],
): string[] {
  if (state.has(name)) return [];
  state.set(name, 'open');
  return dependencies(name).toReversed();
}

/**
 * Answers who comes before whom. Each name hangs on the latest of its dependencies: in that tree an ancestor is
 * found by comparing two numbers, which answers nearly everything in graphs as people write them. Pairs that the
 * tree does not show are searched for, between the two places in the order.
 */
class Reach {
  readonly #graph: DirectedGraph;
  readonly #rank: ReadonlyMap<string, number>;
  /** Step of a walk through the tree at which it enters each name, and leaves it, by rank. */
  readonly #enter: Int32Array;
  readonly #leave: Int32Array;

  constructor(graph: DirectedGraph, order: readonly string[]) {
    this.#graph = graph;
    this.#rank = new Map(order.map((name, index) => [name, index]));
    this.#enter = new Int32Array(order.length);
    this.#leave = new Int32Array(order.length);
    this.#number(this.#tree(order));
  }

  isBefore(earlier: string, later: string): boolean {
    const from = this.#rank.get(earlier);
    const to = this.#rank.get(later);
    if (from === undefined || to === undefined || from >= to) return false;
    return this.#isAbove(from, to) || this.#search(from, later);
  }

  #isAbove(from: number, to: number): boolean {
    return (this.#enter[from] ?? 0) <= (this.#enter[to] ?? 0) && (this.#leave[to] ?? 0) <= (this.#leave[from] ?? 0);
  }

  #search(from: number, later: string): boolean {
    const seen = new Set<number>();
    const waiting = [later];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      for (const before of this.#graph.inNeighbors(name)) {
        const rank = this.#rank.get(before) ?? -1;
        if (rank === from || (rank > from && this.#isAbove(from, rank))) return true;
        if (rank <= from || seen.has(rank)) continue;
        seen.add(rank);
        waiting.push(before);
      }
    }
    return false;
  }

  /** The names that hang on each, by rank; those that hang on none stand last. */
  #tree(order: readonly string[]): readonly number[][] {
    const below: number[][] = Array.from({ length: order.length + 1 }, () => []);
    for (const [rank, name] of order.entries()) {
      const parent = this.#graph.reduceInNeighbors(
        name,
        (latest, before) => Math.max(latest, this.#rank.get(before) ?? -1),
        -1,
      );
      below[parent < 0 ? order.length : parent]?.push(rank);
    }
    return below;
  }

  #number(below: readonly number[][]): void {
    let clock = 0;
    const stack = (below.at(-1) ?? []).map((rank) => ({ rank, isLeft: false }));
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      clock += 1;
      if (top.isLeft) this.#leave[top.rank] = clock;
      else {
        this.#enter[top.rank] = clock;
        stack.push({ rank: top.rank, isLeft: true });
        for (const rank of below[top.rank] ?? []) stack.push({ rank, isLeft: false });
      }
    }
  }
}
