import { printCondition } from '#grammar/condition/print.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Condition, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { coverAll, negated, operandsOf } from '../alternatives.ts';
import { itemAt, type Rule } from '../rule.ts';

/** Statuses have three digits. */
const MOST_STATUS = 999;

/** A condition can fail. */
export default {
  name: 'no-vacuous-condition',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('when')) {
      const { when } = call.node;
      if (when === undefined) continue;
      for (const part of vacuousParts(when.tree))
        report(d.noVacuousCondition({ at: call.optionAt('when'), condition: shown(part, when) }));
    }
    for (const call of groups.having('kind')) {
      const { node } = call;
      if (!('condition' in node)) continue;
      for (const part of vacuousParts(node.condition.tree))
        report(d.noVacuousCondition({ at: call.argumentAt(node.kind), condition: shown(part, node.condition) }));
    }
    for (const call of groups.having('expect'))
      for (const [index, condition] of (call.node.expect ?? []).entries())
        for (const part of vacuousParts(condition.tree))
          report(d.noVacuousCondition({ at: itemAt(call, 'expect', index), condition: shown(part, condition) }));
  },
} satisfies Rule;

/** A part of a condition in its words: those of the author where it is the whole. */
function shown(part: ConditionTree, whole: Condition): string {
  return whole.tree === part ? whole.source : printCondition(part);
}

/** The parts of a condition that say nothing; the whole where no other is left. */
function vacuousParts(tree: ConditionTree): readonly ConditionTree[] {
  const parts = operandsOf(tree, 'and');
  const vacuous = parts.filter(isVacuous);
  return vacuous.length === parts.length ? [tree] : vacuous;
}

function isVacuous(tree: ConditionTree): boolean {
  switch (tree.kind) {
    case 'and':
      return operandsOf(tree, 'and').every(isVacuous);
    case 'or': {
      const alternatives = operandsOf(tree, 'or');
      return alternatives.some(isVacuous) || coverAll(alternatives);
    }
    case 'not': {
      const meant = negated(tree.operand);
      return meant !== undefined && isVacuous(meant);
    }
    case 'compare':
      return (
        (isLength(tree.left) && isBelow(tree, 0)) ||
        (isStatus(tree.left) && (isBelow(tree, 100) || isAbove(tree, MOST_STATUS)))
      );
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

/** Whether the number on the right lies so high that everything up to `most` fits. */
function isAbove({ operator, right }: Extract<ConditionTree, { readonly kind: 'compare' }>, most: number): boolean {
  if (right.kind !== 'literal' || typeof right.value !== 'number') return false;
  return operator === '<=' ? right.value >= most : (operator === '<' || operator === '!=') && right.value > most;
}

function isResult({ ns, name, path = [] }: Ref): boolean {
  return ns === 'var' && name === 'result' && path.length === 0;
}

// `exists(result)`, `exists` of the status of an answer, `contains(x, "")`, and a pattern that fits every text.
function fitsAll({ name, args: [first, second] }: Extract<ConditionTree, { readonly kind: 'call' }>): boolean {
  if (name === 'exists') return first?.kind === 'reference' && (isResult(first.ref) || isStatus(first));
  if (name === 'contains') return second?.kind === 'literal' && second.value === '';
  return name === 'matches' && second?.kind === 'regex' && /^\^?(?:\.\*|\(\.\*\))?\$?$/.test(second.pattern);
}
