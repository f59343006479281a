import type { Node, Value } from '#schemas/types/plan.ts';

/** A step with other ids, its own and those that it names, also in the lists that it holds. */
export function renamed(node: Node, idOf: (id: string) => string): Node {
  const args = Object.entries(node.args).map(([name, value]) => [name, renamedValue(value, idOf)] as const);
  return {
    ...node,
    id: idOf(node.id),
    args: Object.fromEntries(args),
    ...(node.after && { after: node.after.map(idOf) }),
  };
}

function renamedValue(value: Value, idOf: (id: string) => string): Value {
  return 'block' in value ? { block: value.block.map((node) => renamed(node, idOf)) } : value;
}
