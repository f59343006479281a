import * as d from '#schemas/generated/diagnostics.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { ResolvedUnit, Rule } from '../rule.ts';
import { truthOf } from '../truth.ts';

/** A condition over the matrix tells some combinations from others. */
export default {
  name: 'no-decided-condition',
  preset: 'recommended',
  hint: /MATRIX/,
  resolved({ combinations, groups, report }: ResolvedUnit) {
    if (combinations.length < 2) return;
    for (const call of groups.having('when')) {
      const { when } = call.node;
      const truth = when && truthInAll(when.tree, combinations);
      if (when && truth !== undefined)
        report(d.noDecidedCondition({ at: call.optionAt('when'), condition: when.source, truth: String(truth) }));
    }
    for (const call of groups.having('kind')) {
      const { node } = call;
      const truth = 'condition' in node ? truthInAll(node.condition.tree, combinations) : undefined;
      if ('condition' in node && truth !== undefined)
        report(
          d.noDecidedCondition({
            at: call.argumentAt(node.kind),
            condition: node.condition.source,
            truth: String(truth),
          }),
        );
    }
  },
} satisfies Rule;

/** The truth that a condition has for every combination; undefined where they differ, or a run decides. */
function truthInAll(tree: ConditionTree, combinations: readonly JsonObject[]): boolean | undefined {
  const truth = truthOf(tree);
  // Without the matrix it is decided as well: that is the matter of another rule.
  if (truth !== undefined) return undefined;
  const truths = new Set(combinations.map((values) => truthOf(filled(tree, values))));
  const [only] = truths;
  return truths.size === 1 ? only : undefined;
}

/** A condition with the values of one combination in it. */
function filled(tree: ConditionTree, values: JsonObject): ConditionTree {
  switch (tree.kind) {
    case 'reference': {
      const { ns, name, path = [], convert } = tree.ref;
      const value = ns === 'MATRIX' && path.length === 0 && convert === undefined ? values[name] : undefined;
      return value === undefined || (typeof value === 'object' && value !== null) ? tree : { kind: 'literal', value };
    }
    case 'not':
      return { ...tree, operand: filled(tree.operand, values) };
    case 'and':
    case 'or':
    case 'compare':
      return { ...tree, left: filled(tree.left, values), right: filled(tree.right, values) };
    case 'literal':
    case 'list':
    case 'object':
    case 'regex':
    case 'call':
      return tree;
  }
}
