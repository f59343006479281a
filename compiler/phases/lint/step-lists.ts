import type { Node, Unit } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

/**
 * Every list of steps of a unit: its sections, and the blocks of its steps. Blocks of files that are used are theirs.
 */
export function* stepLists(unit: Unit): Generator<readonly Node[]> {
  for (const nodes of [unit.setup, unit.body, unit.teardown]) yield* listsFrom(nodes);
}

function* listsFrom(nodes: readonly Node[]): Generator<readonly Node[]> {
  if (nodes.length > 0) yield nodes;
  for (const node of nodes) {
    if (node.kind === 'use') continue;
    for (const block of blocksOf(node)) yield* listsFrom(block.nodes);
  }
}

/** Effect of a step, as text: equal for steps that do the same. Its id and its name are no part of it. */
export function actOf(node: Node): string {
  const { id: _id, name: _name, title: _title, provides: _provides, uses: _uses, ...act } = node;
  return JSON.stringify(act);
}
