import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';

/** Calls back for every reference of a value; steps inside are left out, they have uses of their own. */
export function eachReference(value: Value, visit: (ref: Ref) => void): void {
  if ('ref' in value) visit(value.ref);
  else if ('text' in value)
    for (const part of value.text) {
      if (typeof part !== 'string') visit(part);
    }
  else if ('list' in value) for (const item of value.list) eachReference(item, visit);
  else if ('map' in value) for (const [, item] of value.map) eachReference(item, visit);
}

/** Calls back for every reference of a condition. `exists` asks whether something is there, so it needs nothing. */
export function eachConditionReference(
  tree: ConditionTree,
  visit: (ref: Ref, isAsked: boolean) => void,
  isAsked = false,
): void {
  switch (tree.kind) {
    case 'literal':
    case 'regex':
      return;
    case 'reference':
      return visit(tree.ref, isAsked);
    case 'not':
      return eachConditionReference(tree.operand, visit, isAsked);
    case 'and':
    case 'or':
    case 'compare':
      eachConditionReference(tree.left, visit, isAsked);
      return eachConditionReference(tree.right, visit, isAsked);
    case 'call':
      for (const arg of tree.args) eachConditionReference(arg, visit, tree.name === 'exists');
  }
}
