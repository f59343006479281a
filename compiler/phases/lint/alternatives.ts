import type { CompareOperator, ConditionTree } from '#schemas/types/condition-tree.ts';

import { comparedValues } from './truth.ts';

type Comparison = Extract<ConditionTree, { readonly kind: 'compare' }>;

/** Operator that holds where another one does not. */
const OPPOSITE: Readonly<Record<CompareOperator, CompareOperator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** A condition that holds where another one does not; undefined where it cannot be said without `!`. */
export function negated(tree: ConditionTree): ConditionTree | undefined {
  if (tree.kind === 'not') return tree.operand;
  if (tree.kind === 'compare') return { ...tree, operator: OPPOSITE[tree.operator] };
  if (tree.kind !== 'and' && tree.kind !== 'or') return undefined;
  const [left, right] = [negated(tree.left), negated(tree.right)];
  return left && right && { kind: tree.kind === 'and' ? 'or' : 'and', left, right };
}

/** Operands that a chain of one operator joins, from left to right. */
export function operandsOf(tree: ConditionTree, kind: 'and' | 'or'): readonly ConditionTree[] {
  const operands: ConditionTree[] = [];
  const waiting = [tree];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === kind) waiting.push(next.right, next.left);
    else operands.push(next);
  }
  return operands;
}

/** Whether alternatives compare one thing so that one of them holds whatever it is. */
export function coverAll(alternatives: readonly ConditionTree[]): boolean {
  const comparisons = alternatives.filter((each): each is Comparison => each.kind === 'compare');
  if (comparisons.length < 2) return false;
  const ofOne = Map.groupBy(
    comparisons.filter(({ left, right }) => left.kind !== 'literal' && right.kind === 'literal'),
    ({ left }) => JSON.stringify(left),
  );
  return [...ofOne.values()].some((each) => leaveNothingOut(each) || meet(each));
}

/** Whether one of them leaves out a single value, which another one holds for. */
function leaveNothingOut(comparisons: readonly Comparison[]): boolean {
  const one = comparisons.find(({ operator }) => operator === '!=');
  if (one?.right.kind !== 'literal') return false;
  const left = one.right.value;
  return comparisons.some(
    ({ operator, right }) => right.kind === 'literal' && comparedValues(operator, left, right.value) === true,
  );
}

/** Whether everything up to one number holds, and everything from there on or from a lower one. */
function meet(comparisons: readonly Comparison[]): boolean {
  let most = -Infinity;
  let least = Infinity;
  for (const { operator, right } of comparisons) {
    if (right.kind !== 'literal' || typeof right.value !== 'number') continue;
    if (operator.startsWith('<')) most = Math.max(most, right.value);
    else if (operator.startsWith('>')) least = Math.min(least, right.value);
  }
  const isNamed = comparisons.some(
    ({ operator, right }) =>
      operator.endsWith('=') && operator !== '!=' && right.kind === 'literal' && right.value === most,
  );
  return least < most || (least === most && isNamed);
}
