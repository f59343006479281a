import * as d from '#schemas/generated/diagnostics.ts';
import { late } from '#grammar/language/late.ts';
import type { Condition } from '#schemas/types/condition-tree.ts';
import { blockOf } from '#schemas/types/walk-nodes.ts';

import { namesIn, quotedReferences } from '../quoted-references.ts';
import { truthOf } from '../truth.ts';
import type { Rule } from '../rule.ts';

/** Every step can be reached. */
export default {
  name: 'no-unreachable-step',
  preset: 'recommended',
  resolved(file) {
    const { groups, report } = file;
    const names = late(() => namesIn(file));
    const truthIn = (condition: Condition): boolean | undefined =>
      quotedReferences(condition, names).length > 0 ? undefined : truthOf(condition.tree);
    const never = new Set<string>();
    for (const { node } of groups.having('when')) if (node.when && truthIn(node.when) === false) never.add(node.id);
    for (const { node } of groups.having('kind')) {
      const truth = node.kind === 'if' ? truthIn(node.condition) : undefined;
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
