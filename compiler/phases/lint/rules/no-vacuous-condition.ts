import * as d from '#schemas/generated/diagnostics.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';

import { itemAt, type Rule } from '../rule.ts';

/** A condition can fail. */
export default {
  name: 'no-vacuous-condition',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('when')) {
      const { when } = call.node;
      if (when && isVacuous(when.tree))
        report(d.noVacuousCondition({ at: call.optionAt('when'), condition: when.source }));
    }
    for (const call of groups.having('expect'))
      for (const [index, { source, tree }] of (call.node.expect ?? []).entries())
        if (isVacuous(tree)) report(d.noVacuousCondition({ at: itemAt(call, 'expect', index), condition: source }));
  },
} satisfies Rule;

function isVacuous(tree: ConditionTree): boolean {
  switch (tree.kind) {
    case 'and':
      return isVacuous(tree.left) || isVacuous(tree.right);
    case 'or':
      return isVacuous(tree.left) || isVacuous(tree.right);
    case 'compare':
      return isLength(tree.left) && isBelow(tree);
    case 'call':
      return fitsAll(tree);
    default:
      return false;
  }
}

function isLength(tree: ConditionTree): boolean {
  return tree.kind === 'call' && tree.name === 'len';
}

function isBelow({ operator, right }: Extract<ConditionTree, { readonly kind: 'compare' }>): boolean {
  if (right.kind !== 'literal' || typeof right.value !== 'number') return false;
  return operator === '>=' ? right.value <= 0 : (operator === '>' || operator === '!=') && right.value < 0;
}

// `exists(result)`, `contains(x, "")`, and a pattern that fits every text.
function fitsAll({ name, args: [first, second] }: Extract<ConditionTree, { readonly kind: 'call' }>): boolean {
  if (name === 'exists')
    return (
      first?.kind === 'reference' &&
      first.ref.ns === 'var' &&
      first.ref.name === 'result' &&
      (first.ref.path ?? []).length === 0
    );
  if (name === 'contains') return second?.kind === 'literal' && second.value === '';
  return name === 'matches' && second?.kind === 'regex' && /^\^?(?:\.\*|\(\.\*\))?\$?$/.test(second.pattern);
}
