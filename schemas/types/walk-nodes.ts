import { eachConditionReference } from './condition-references.ts';
import type { Condition } from './condition-tree.ts';
import { eachReference, isBlock } from './fold-value.ts';
import type { Node, Value } from './plan.ts';
import type { Ref } from './reference.ts';

/** A list of steps that a step holds, and the parameter that it is given by; of a control form its block. */
export interface StepBlock {
  readonly parameter: string;
  readonly nodes: readonly Node[];
}

/**
 * The lists of steps that a step holds: a parameter is one as a whole, or holds none. All who go on into the steps of a
 * step do it here.
 */
export function blocksOf(node: Node): readonly StepBlock[] {
  const { args } = node;
  if (node.kind === 'parallel') return node.blocks.map((parameter) => ({ parameter, nodes: blockOf(node, parameter) }));
  const blocks: StepBlock[] = [];
  // Most steps hold none, and there may be many steps.
  for (const parameter in args) {
    const value = args[parameter];
    if (isBlock(value)) blocks.push({ parameter, nodes: value.block });
  }
  return blocks.length < 2 ? blocks : blocks.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The steps of one block; empty where the step has none of that name. */
export function blockOf({ args }: Node, name: string): readonly Node[] {
  const value = args[name];
  return isBlock(value) ? value.block : [];
}

/** Blocks in the order in which they are told of: keys of a sealed plan stand in the order of their letters. */
const ORDER = ['setup', 'body', 'teardown', 'group', 'do', 'then', 'else', 'else_', 'always'];

function rankOf({ parameter }: StepBlock): number {
  const rank = ORDER.indexOf(parameter);
  return rank < 0 ? ORDER.length : rank;
}

/** Steps with those inside them, each before its own. `wants`: whether a list of a step is gone into. */
export function everyNode(
  nodes: readonly Node[],
  wants: (block: StepBlock, holder: Node) => boolean = () => true,
): readonly Node[] {
  const all: Node[] = [];
  const add = (node: Node): void => {
    all.push(node);
    for (const block of blocksOf(node)) if (wants(block, node)) block.nodes.forEach(add);
  };
  nodes.forEach(add);
  return all;
}

/** A step with other lists of steps. */
export function withBlocks(node: Node, change: (nodes: readonly Node[]) => readonly Node[]): Node {
  const args = Object.entries(node.args).map(
    ([name, value]) => [name, isBlock(value) ? { block: change(value.block) } : value] as const,
  );
  return { ...node, args: Object.fromEntries(args) };
}

/** The values of a step: those that are filled when it begins, and those that a control form fills later. */
export function valuesOf(node: Node): readonly Value[] {
  const values = Object.values(node.args);
  return node.kind === undefined ? values : [...values, ...laterValues(node)];
}

/** Values that are filled after the steps inside have run. */
function laterValues(node: Node): readonly Value[] {
  if (node.kind === 'for_each') return node.collect === undefined ? [] : [node.collect];
  if (node.kind !== 'use') return [];
  return [node.base_url, node.returns].filter((value) => value !== undefined);
}

/** The conditions of a step: those of its options, and that of a control form. */
export function conditionsOf(node: Node): readonly Condition[] {
  const { when, expect = [] } = node;
  const own = 'condition' in node ? [node.condition] : [];
  return [...(when ? [when] : []), ...own, ...expect];
}

/**
 * Calls back for every reference of a step: in its values, in its conditions, then in its name; those of steps inside
 * are theirs. `isAsked`: what is asked for by `exists`, or stands in a name, need not be there.
 */
export function eachReferenceOf(node: Node, visit: (ref: Ref, isAsked: boolean) => void): void {
  const read = (ref: Ref): void => visit(ref, false);
  for (const value of valuesOf(node)) eachReference(value, read);
  for (const { tree } of conditionsOf(node)) eachConditionReference(tree, visit);
  for (const piece of node.title ?? []) if (typeof piece !== 'string') visit(piece, true);
}

/** Calls back for every reference that a control form reads when the steps inside it have run. */
export function eachReferenceAtEnd(node: Node, visit: (ref: Ref) => void): void {
  for (const value of laterValues(node)) eachReference(value, visit);
  if (node.kind === 'until') eachConditionReference(node.condition.tree, visit);
}
