import * as d from '#schemas/generated/diagnostics.ts';
import { late } from '#grammar/language/late.ts';
import type { Condition, ConditionTree } from '#schemas/types/condition-tree.ts';

import { namesIn, quotedReferences } from '../quoted-references.ts';
import { itemAt, type ResolvedCall, type Rule } from '../rule.ts';

/** A condition speaks of something that the run can change. */
export default {
  name: 'no-constant-condition',
  preset: 'recommended',
  resolved(file) {
    const { groups, report } = file;
    const names = late(() => namesIn(file));
    // That a reference stands in quotes is told of it.
    const isSame = (call: ResolvedCall, condition: Condition): boolean =>
      (isConstant(condition.tree) || call.isDecided(condition.source)) &&
      quotedReferences(condition, names).length === 0;
    for (const call of groups.having('when')) {
      const { when } = call.node;
      if (when && isSame(call, when))
        report(d.noConstantCondition({ at: call.optionAt('when'), condition: when.source }));
    }
    for (const call of groups.having('kind')) {
      const { node } = call;
      if ('condition' in node && isSame(call, node.condition))
        report(d.noConstantCondition({ at: call.argumentAt(node.kind), condition: node.condition.source }));
    }
    for (const call of groups.having('expect'))
      for (const [index, condition] of (call.node.expect ?? []).entries())
        if (isSame(call, condition))
          report(d.noConstantCondition({ at: itemAt(call, 'expect', index), condition: condition.source }));
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
      return (isConstant(tree.left) && isConstant(tree.right)) || isAlike(tree.left, tree.right);
    case 'call':
      return tree.args.every(isConstant);
    case 'list':
      return tree.items.every(isConstant);
    case 'object':
      return tree.entries.every(([, value]) => isConstant(value));
  }
}

function isLiterally(value: boolean, tree: ConditionTree): boolean {
  return tree.kind === 'literal' && tree.value === value;
}

/** Both sides read the same: `a == a`. */
function isAlike(left: ConditionTree, right: ConditionTree): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
