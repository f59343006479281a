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
export function orderByDependency(names: readonly string[], dependencies: (name: string) => readonly string[]): Dag | Cycle {
  const graph = new DirectedGraph();
  for (const name of names) graph.mergeNode(name);
  for (const name of names) for (const before of dependencies(name)) if (graph.hasNode(before)) graph.mergeEdge(before, name);
  const walked = walk(names, (name) => graph.inNeighbors(name));
  if ('cycle' in walked) return walked;
  const rank = new Map(walked.order.map((name, index) => [name, index]));
  return {
    order: walked.order,
    dependencies: (name) => graph.inNeighbors(name),
    dependents: (name) => graph.outNeighbors(name),
    isBefore: (earlier, later) => isBefore(graph, rank, earlier, later),
    generations: () => topologicalGenerations(graph),
  };
}

/** Names of which none waits for another. */
export function unordered(names: readonly string[]): Dag {
  return { order: names, dependencies: () => [], dependents: () => [], isBefore: () => false, generations: () => [names] };
}

/** Depth first with a stack of its own: a chain may be a million names long. */
function walk(names: readonly string[], dependencies: (name: string) => readonly string[]): { order: string[] } | Cycle {
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
function pending(name: string, state: Map<string, 'open' | 'done'>, dependencies: (name: string) => readonly string[]): string[] {
  if (state.has(name)) return [];
  state.set(name, 'open');
  return dependencies(name).toReversed();
}

function isBefore(graph: DirectedGraph, rank: ReadonlyMap<string, number>, earlier: string, later: string): boolean {
  const floor = rank.get(earlier) ?? Infinity;
  if (floor >= (rank.get(later) ?? -1)) return false;
  if (graph.hasDirectedEdge(earlier, later)) return true;
  const seen = new Set<string>();
  const waiting = [later];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const before of graph.inNeighbors(name)) {
      if (before === earlier) return true;
      if (seen.has(before) || (rank.get(before) ?? -1) <= floor) continue;
      seen.add(before);
      waiting.push(before);
    }
  }
  return false;
}
