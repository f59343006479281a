import type { ConditionTree } from './condition-tree.ts';
import type { Ref } from './reference.ts';

/**
 * Calls back for every reference of a condition. `isAsked`: `exists` asks whether something is there, so it need not
 * be.
 */
export function eachConditionReference(
  tree: ConditionTree,
  visit: (ref: Ref, isAsked: boolean) => void,
  isAsked = false,
): void {
  if (tree.kind === 'reference') return visit(tree.ref, isAsked);
  for (const part of partsOf(tree)) eachConditionReference(part, visit, tree.kind === 'call' && tree.name === 'exists');
}

/** The conditions of which one is made, in the order in which they stand. */
function partsOf(tree: ConditionTree): readonly ConditionTree[] {
  if ('args' in tree) return tree.args;
  if ('left' in tree) return [tree.left, tree.right];
  if ('items' in tree) return tree.items;
  if ('entries' in tree) return tree.entries.map(([, value]) => value);
  return 'operand' in tree ? [tree.operand] : [];
}
