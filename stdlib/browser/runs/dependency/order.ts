import * as fail from '#schemas/generated/failures.ts';

/** Each file with those that it depends on. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * Files with their dependencies before them; those that are ready keep the order of the graph. Fails at a circle, and
 * at a dependency that is no file of the graph.
 */
export function inOrder(graph: Graph): string[] {
  const dependents = dependentsIn(graph);
  const waiting = new Map([...graph].map(([path, needed]) => [path, new Set(needed).size]));
  const order = [...graph.keys()].filter((path) => waiting.get(path) === 0);
  // Grows while it is walked: what becomes ready stands at its end.
  for (const path of order)
    for (const dependent of dependents.get(path) ?? []) {
      const left = (waiting.get(dependent) ?? 0) - 1;
      waiting.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  if (order.length < graph.size) throw fail.dependencyCircle({ circle: circleIn(graph, new Set(order)).join(' -> ') });
  return order;
}

/** All that depends on a failed file, directly or over others, without the failed ones; in the order of the graph. */
export function dependentsOf(graph: Graph, failed: readonly string[]): string[] {
  const dependents = dependentsIn(graph);
  const reached = new Set(failed);
  for (const path of reached) for (const dependent of dependents.get(path) ?? []) reached.add(dependent);
  const asked = new Set(failed);
  return [...graph.keys()].filter((path) => reached.has(path) && !asked.has(path));
}

function dependentsIn(graph: Graph): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>([...graph.keys()].map((path) => [path, []]));
  for (const [path, needed] of graph)
    for (const other of new Set(needed)) {
      const list = dependents.get(other);
      if (!list) throw fail.dependencyNotInGraph({ path, missing: other });
      list.push(path);
    }
  return dependents;
}

/** One circle among what could not be ordered, its first file again at its end. */
function circleIn(graph: Graph, ordered: ReadonlySet<string>): string[] {
  const walked: string[] = [];
  let path = [...graph.keys()].find((file) => !ordered.has(file));
  while (path !== undefined && !walked.includes(path)) {
    walked.push(path);
    path = graph.get(path)?.find((other) => !ordered.has(other));
  }
  return path === undefined ? walked : [...walked.slice(walked.indexOf(path)), path];
}
