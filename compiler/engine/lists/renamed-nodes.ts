import type { Node } from '#schemas/types/plan.ts';
import { withBlocks } from '#schemas/types/walk-nodes.ts';

/** A step with other ids, its own and those that it names, also in the lists that it holds. */
export function renamed(node: Node, idOf: (id: string) => string): Node {
  return {
    ...withBlocks(node, (nodes) => nodes.map((inner) => renamed(inner, idOf))),
    id: idOf(node.id),
    ...(node.after && { after: node.after.map(idOf) }),
  };
}
