import type { Import } from './read-graph.ts';

/**
 * Cycles of imports that happen when modules are loaded, each once, as the way round. Imports that wait (`import()`) and
 * imports of types alone load nothing.
 */
export function findCycles(imports: readonly Import[]): readonly string[] {
  const next = new Map<string, string[]>();
  for (const { from, target, isDynamic, isType } of imports) {
    if (target.kind === 'file' && !isDynamic && !isType) next.set(from, [...(next.get(from) ?? []), target.path]);
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
