import * as d from '#schemas/generated/diagnostics.ts';
import type { Node } from '#schemas/types/plan.ts';

import { itemAt, type Rule } from '../rule.ts';

/** Most steps of a graph for which all ways are followed. */
const MOST = 2000;

/** An edge of a graph orders something that no other edge does. */
export default {
  name: 'no-implied-dependency',
  preset: 'recommended',
  resolved({ unit: { order, body }, groups, report }) {
    if (order.kind !== 'graph' || body.length > MOST) return;
    const byId = new Map(body.map((node) => [node.id, node]));
    for (const call of groups.having('after')) {
      const { after = [], id } = call.node;
      if (after.length < 2 || !byId.has(id)) continue;
      for (const [index, before] of after.entries()) {
        const others = after.filter((each) => each !== before);
        if (others.some((other) => reaches(other, before, byId)))
          report(
            d.noImpliedDependency({ at: itemAt(call, 'depends_on', index), node: nameOf(id), before: nameOf(before) }),
          );
      }
    }
  },
} satisfies Rule;

/** Whether a step waits for another one, over others too. */
function reaches(from: string, to: string, nodes: ReadonlyMap<string, Node>): boolean {
  const seen = new Set([from]);
  for (const id of seen) for (const before of nodes.get(id)?.after ?? []) seen.add(before);
  return seen.has(to);
}

/** The id as it is written in the file. */
function nameOf(id: string): string {
  return id.slice(id.indexOf('#') + 1);
}
