import type { Node } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import type { ResolvedUnit } from './rule.ts';

/**
 * Every list of steps of a unit: its sections, and the blocks of its steps. Blocks of files that are used are theirs.
 */
export function stepLists({ unit, groups }: Pick<ResolvedUnit, 'unit' | 'groups'>): readonly (readonly Node[])[] {
  const blocks = groups
    .holding()
    .flatMap(({ node }) => (node.kind === 'use' ? [] : blocksOf(node).map(({ nodes }) => nodes)));
  return [unit.setup, unit.body, unit.teardown, ...blocks].filter((nodes) => nodes.length > 0);
}

/** Effect of a step, as text: equal for steps that do the same. Its id and its name are no part of it. */
export function actOf(node: Node): string {
  const { id: _id, name: _name, title: _title, provides: _provides, uses: _uses, ...act } = node;
  return JSON.stringify(act);
}
