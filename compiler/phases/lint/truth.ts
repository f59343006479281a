import type { CompareOperator, ConditionTree } from '#schemas/types/condition-tree.ts';

/** Truth of a condition whatever the run finds; undefined where the run decides. */
export function truthOf(tree: ConditionTree): boolean | undefined {
  switch (tree.kind) {
    case 'literal':
      return typeof tree.value === 'boolean' ? tree.value : undefined;
    case 'not': {
      const truth = truthOf(tree.operand);
      return truth === undefined ? undefined : !truth;
    }
    case 'and':
    case 'or': {
      const sides = [truthOf(tree.left), truthOf(tree.right)];
      const settles = tree.kind === 'or';
      if (sides.includes(settles)) return settles;
      return sides.includes(undefined) ? undefined : !settles;
    }
    case 'compare':
      return tree.left.kind === 'literal' && tree.right.kind === 'literal'
        ? comparedValues(tree.operator, tree.left.value, tree.right.value)
        : undefined;
    case 'reference':
    case 'list':
    case 'object':
    case 'regex':
    case 'call':
      return undefined;
  }
}

type Scalar = null | boolean | number | string;

/** Truth of a comparison of two values; undefined where their types do not fit. */
export function comparedValues(operator: CompareOperator, left: Scalar, right: Scalar): boolean | undefined {
  if (left !== null && right !== null && typeof left !== typeof right) return undefined;
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
