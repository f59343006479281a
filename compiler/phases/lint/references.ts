import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Node, Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';

/** Every reference of a step: in its parameters and in its conditions, whether or not it has a default. */
export function* referencesOf(node: Node): Generator<Ref> {
  for (const value of Object.values(node.args)) yield* inValue(value);
  if (node.when) yield* inCondition(node.when.tree);
  for (const { tree } of node.expect ?? []) yield* inCondition(tree);
}

export function* inValue(value: Value): Generator<Ref> {
  if ('ref' in value) yield value.ref;
  else if ('text' in value)
    for (const part of value.text) {
      if (typeof part !== 'string') yield part;
    }
  else if ('list' in value) for (const item of value.list) yield* inValue(item);
  else if ('map' in value) for (const [, item] of value.map) yield* inValue(item);
}

function* inCondition(tree: ConditionTree): Generator<Ref> {
  switch (tree.kind) {
    case 'literal':
    case 'regex':
      return;
    case 'reference':
      yield tree.ref;
      return;
    case 'not':
      yield* inCondition(tree.operand);
      return;
    case 'and':
    case 'or':
    case 'compare':
      yield* inCondition(tree.left);
      yield* inCondition(tree.right);
      return;
    case 'call':
      for (const arg of tree.args) yield* inCondition(arg);
  }
}
