import * as d from '#schemas/generated/diagnostics.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';

import { itemAt, type Rule } from '../rule.ts';

/** A condition speaks of something that the run can change. */
export default {
  name: 'no-constant-condition',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('when')) {
      const { when } = call.node;
      if (when && (isConstant(when.tree) || call.isDecided(when.source)))
        report(d.noConstantCondition({ at: call.optionAt('when'), condition: when.source }));
    }
    for (const call of groups.having('kind')) {
      const { node } = call;
      if ('condition' in node && (isConstant(node.condition.tree) || call.isDecided(node.condition.source)))
        report(d.noConstantCondition({ at: call.argumentAt(node.kind), condition: node.condition.source }));
    }
    for (const call of groups.having('expect'))
      for (const [index, { source, tree }] of (call.node.expect ?? []).entries())
        if (isConstant(tree) || call.isDecided(source))
          report(d.noConstantCondition({ at: itemAt(call, 'expect', index), condition: source }));
  },
} satisfies Rule;

function isConstant(tree: ConditionTree): boolean {
  switch (tree.kind) {
    case 'reference':
      return false;
    case 'literal':
    case 'regex':
      return true;
    case 'not':
      return isConstant(tree.operand);
    case 'and':
      return (
        (isConstant(tree.left) && isConstant(tree.right)) ||
        isLiterally(false, tree.left) ||
        isLiterally(false, tree.right)
      );
    case 'or':
      return (
        (isConstant(tree.left) && isConstant(tree.right)) ||
        isLiterally(true, tree.left) ||
        isLiterally(true, tree.right)
      );
    case 'compare':
      return (isConstant(tree.left) && isConstant(tree.right)) || isSame(tree.left, tree.right);
    case 'call':
      return tree.args.every(isConstant);
  }
}

function isLiterally(value: boolean, tree: ConditionTree): boolean {
  return tree.kind === 'literal' && tree.value === value;
}

/** Both sides read the same: `a == a`. */
function isSame(left: ConditionTree, right: ConditionTree): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
