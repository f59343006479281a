import type { Node, Unit } from '#schemas/types/plan.ts';
import { everyNode } from '#schemas/types/walk-nodes.ts';

/**
 * The steps of a body that run when only some are wanted: those, what they depend on by name, and in a list the steps
 * before them that make a variable or a session that they use.
 */
export function neededSteps(
  { body, order }: Unit,
  isWanted: (node: Node) => boolean,
  isExcluded: (node: Node) => boolean,
): ReadonlySet<string> {
  const index = new Map(body.map((node, at) => [node.id, at]));
  const needed = new Set<string>();
  const waiting = body.filter((node) => isWanted(node) && !isExcluded(node));
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (needed.has(node.id)) continue;
    needed.add(node.id);
    const named = (node.after ?? []).flatMap((id) => body[index.get(id) ?? -1] ?? []);
    const earlier = order.kind === 'list' ? makers(node, body.slice(0, index.get(node.id) ?? 0)) : [];
    waiting.push(...[...named, ...earlier].filter((other) => !isExcluded(other)));
  }
  return needed;
}

function makers(node: Node, earlier: readonly Node[]): readonly Node[] {
  const uses = new Set(gather(node, (each) => each.uses));
  return uses.size === 0
    ? []
    : earlier.filter((other) => gather(other, (each) => each.provides).some((made) => uses.has(made)));
}

/** Of a step and of those inside it. */
function gather(node: Node, of: (node: Node) => readonly string[] | undefined): readonly string[] {
  return everyNode([node]).flatMap((each) => of(each) ?? []);
}
