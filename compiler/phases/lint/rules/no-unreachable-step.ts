import * as d from '#schemas/generated/diagnostics.ts';
import { blockOf } from '#schemas/types/walk-nodes.ts';

import { truthOf } from '../truth.ts';
import type { Rule } from '../rule.ts';

/** Every step can be reached. */
export default {
  name: 'no-unreachable-step',
  preset: 'recommended',
  resolved({ groups, report }) {
    const never = new Set<string>();
    for (const { node } of groups.having('when'))
      if (node.when && truthOf(node.when.tree) === false) never.add(node.id);
    for (const { node } of groups.having('kind')) {
      const truth = node.kind === 'if' ? truthOf(node.condition.tree) : undefined;
      if (truth === undefined) continue;
      const [first] = blockOf(node, truth ? 'else' : 'then');
      const call = first && groups.byId(first.id);
      if (call) report(d.noUnreachableStep({ at: call.commandAt(), command: first.command }));
    }
    for (const call of never.size === 0 ? [] : groups.having('after')) {
      if (!call.node.after?.some((before) => never.has(before))) continue;
      never.add(call.node.id);
      report(d.noUnreachableStep({ at: call.commandAt(), command: call.node.command }));
    }
  },
} satisfies Rule;
