import * as d from '#schemas/generated/diagnostics.ts';
import { late } from '#grammar/language/late.ts';
import type { Condition } from '#schemas/types/condition-tree.ts';
import { literalOf } from '#schemas/types/fold-value.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Node } from '#schemas/types/plan.ts';
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
      const block = truth === undefined ? (hasNoRound(node) ? 'do' : undefined) : truth ? 'else' : 'then';
      if (block === undefined) continue;
      const [first] = blockOf(node, block);
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

/** A loop over nothing: an empty list or object, or a range whose steps lead away from its end. */
function hasNoRound({ kind, args }: Node): boolean {
  if (kind !== 'for_each') return false;
  const { for_each: over, from, to, step } = args;
  if (over !== undefined) return isEmpty(literalOf(over));
  const [first, last, by] = [literalOf(from), literalOf(to), literalOf(step)];
  return typeof first === 'number' && typeof last === 'number' && typeof by === 'number' && (last - first) * by < 0;
}

function isEmpty(value: Json | undefined): boolean {
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value ?? {}).length === 0;
}
