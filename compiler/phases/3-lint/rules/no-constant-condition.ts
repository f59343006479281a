import * as d from '#schemas/generated/diagnostics.ts';
import type { Condition, ConditionTree } from '#schemas/types/condition-tree.ts';

import type { Rule } from '../rule.ts';

/** A condition speaks of something that the run can change. */
export default {
  name: 'no-constant-condition',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      const conditions: [string, Condition][] = [
        ...(call.node.when ? [['when', call.node.when] as [string, Condition]] : []),
        ...(call.node.expect ?? []).map((condition): [string, Condition] => ['expect', condition]),
      ];
      for (const [option, { source, tree }] of conditions) {
        if (!speaksOfSomething(tree)) report(d.noConstantCondition({ at: call.optionAt(option), condition: source }));
      }
    }
  },
} satisfies Rule;

function speaksOfSomething(tree: ConditionTree): boolean {
  switch (tree.kind) {
    case 'reference':
      return true;
    case 'literal':
    case 'regex':
      return false;
    case 'not':
      return speaksOfSomething(tree.operand);
    case 'and':
    case 'or':
    case 'compare':
      return speaksOfSomething(tree.left) || speaksOfSomething(tree.right);
    case 'call':
      return tree.args.some(speaksOfSomething);
  }
}
