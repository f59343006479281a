import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

type Edge = readonly [from: string, to: string];

/** Whether a value lists the edges of a graph, as other tools have them: pairs, or objects of two ends. */
export function isListOfEdges(value: Json): boolean {
  return isList(value) && value.length > 0 && value.every((each) => edgeOf(each) !== undefined);
}

function edgeOf(value: Json): Edge | undefined {
  const [from, to, more] = isList(value)
    ? value
    : isObject(value)
      ? [value['from'] ?? value['source'] ?? null, value['to'] ?? value['target'] ?? null]
      : [];
  return typeof from === 'string' && typeof to === 'string' && more === undefined ? [from, to] : undefined;
}

/** The fix that says edges as `depends_on` of their nodes; none where nodes have some, or an end is no node. */
export function fixOfEdges(value: Json, nodes: readonly Json[]): readonly Fix[] {
  if (!isList(value)) return [];
  const edges = value.flatMap((each) => [edgeOf(each) ?? ['', '']] as const);
  const ids = nodes.map((node) => (isObject(node) ? node['id'] : undefined));
  const isPlain = nodes.every((node) => isObject(node) && !Object.hasOwn(node, 'depends_on'));
  if (!isPlain || !edges.flat().every((id) => ids.includes(id))) return [];
  const inserts = ids.flatMap((id, index) => {
    const before = edges.filter(([, to]) => to === id).map(([from]) => from);
    return before.length === 0
      ? []
      : [{ kind: 'insert' as const, route: ['nodes', index], key: 'depends_on', value: before }];
  });
  const title = 'write them as "depends_on" of the nodes';
  return [{ title, safety: 'unsafe', operations: [...inserts, { kind: 'remove', route: ['edges'] }] }];
}
