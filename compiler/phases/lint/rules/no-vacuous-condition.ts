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
      return (isLength(tree.left) && isBelow(tree, 0)) || (isStatus(tree.left) && isBelow(tree, 100));
    case 'call':
      return fitsAll(tree);
    default:
      return false;
  }
}

function isLength(tree: ConditionTree): boolean {
  return tree.kind === 'call' && tree.name === 'len';
}

/** The status of an answer, which there is always one of: it has three digits. */
function isStatus(tree: ConditionTree): boolean {
  if (tree.kind !== 'reference' || tree.ref.ns !== 'var' || tree.ref.default !== undefined) return false;
  const { name, path = [] } = tree.ref;
  return (name === 'result' || name === 'last_response') && path.length === 1 && path[0] === 'status_code';
}

/** Whether the number on the right lies so low that everything from `least` on fits. */
function isBelow({ operator, right }: Extract<ConditionTree, { readonly kind: 'compare' }>, least: number): boolean {
  if (right.kind !== 'literal' || typeof right.value !== 'number') return false;
  return operator === '>=' ? right.value <= least : (operator === '>' || operator === '!=') && right.value < least;
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
