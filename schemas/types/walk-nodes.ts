import { eachConditionReference } from './condition-references.ts';
import { eachReference, isBlock } from './fold-value.ts';
import type { Node } from './plan.ts';
import type { Ref } from './reference.ts';

/** A list of steps that a step holds, and the parameter that it is given by. */
export interface StepBlock {
  readonly parameter: string;
  readonly nodes: readonly Node[];
}

/** The lists of steps that a step holds: a parameter is one as a whole, or holds none. All who go on into the steps of a step do it here. */
export function blocksOf({ args }: Node): readonly StepBlock[] {
  return Object.entries(args).flatMap(([parameter, value]) =>
    isBlock(value) ? { parameter, nodes: value.block } : [],
  );
}

/** Steps with those inside them, each before its own. `wants`: whether a list of a step is gone into. */
export function everyNode(
  nodes: readonly Node[],
  wants: (block: StepBlock, holder: Node) => boolean = () => true,
): readonly Node[] {
  return nodes.flatMap((node) => [
    node,
    ...blocksOf(node).flatMap((block) => (wants(block, node) ? everyNode(block.nodes, wants) : [])),
  ]);
}

/** A step with other lists of steps. */
export function withBlocks(node: Node, change: (nodes: readonly Node[]) => readonly Node[]): Node {
  const args = Object.entries(node.args).map(
    ([name, value]) => [name, isBlock(value) ? { block: change(value.block) } : value] as const,
  );
  return { ...node, args: Object.fromEntries(args) };
}

/** Calls back for every reference of a step: in its parameters, then in its conditions; those of steps inside are theirs. */
export function eachReferenceOf({ args, when, expect = [] }: Node, visit: (ref: Ref) => void): void {
  for (const value of Object.values(args)) eachReference(value, visit);
  if (when) eachConditionReference(when.tree, visit);
  for (const { tree } of expect) eachConditionReference(tree, visit);
}
