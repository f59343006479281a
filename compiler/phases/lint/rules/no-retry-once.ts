import * as d from '#schemas/generated/diagnostics.ts';
import type { Node } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import type { CallGroups, ResolvedCall, Rule } from '../rule.ts';

/** A command that must not happen twice is not retried. */
export default {
  name: 'no-retry-once',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('retry')) {
      const { retry } = call.node;
      if (retry === undefined || retry.max_attempts === 1) continue;
      const command = happensOnce(call, groups.byId);
      if (command !== undefined) report(d.noRetryOnce({ at: call.optionAt('retry'), command }));
    }
  },
} satisfies Rule;

/** The command that must not be repeated: the call's own, or, where it holds steps, one of those. */
function happensOnce({ node, info }: ResolvedCall, callOf: CallGroups['byId']): string | undefined {
  if (info.repeat !== 'once') return undefined;
  const inside = stepsInside(node);
  if (inside === undefined) return node.command;
  return inside
    .map(({ id }) => callOf(id))
    .map((call) => call && happensOnce(call, callOf))
    .find((command) => command !== undefined);
}

function stepsInside(node: Node): readonly Node[] | undefined {
  const blocks = blocksOf(node);
  return blocks.length === 0 ? undefined : blocks.flatMap(({ nodes }) => nodes);
}
