import type { Import } from './read-graph.ts';

/**
 * Cycles of imports, each once, as the way round. Those of types alone count: modules that know one another's types
 * cannot be read, moved or replaced one by one. Imports that wait (`import()`) name what is loaded later, and begin a
 * way of their own.
 */
export function findCycles(imports: readonly Import[]): readonly string[] {
  const next = new Map<string, string[]>();
  for (const { from, target, isDynamic } of imports) {
    if (target.kind === 'file' && !isDynamic) next.set(from, [...(next.get(from) ?? []), target.path]);
  }
  const done = new Set<string>();
  const cycles: string[] = [];
  for (const file of next.keys()) visit(file, next, done, [], cycles);
  return cycles;
}

function visit(
  file: string,
  next: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
  way: readonly string[],
  cycles: string[],
): void {
  const begin = way.indexOf(file);
  if (begin >= 0) cycles.push([...way.slice(begin), file].join(' -> '));
  if (begin >= 0 || done.has(file)) return;
  for (const target of next.get(file) ?? []) visit(target, next, done, [...way, file], cycles);
  done.add(file);
}
