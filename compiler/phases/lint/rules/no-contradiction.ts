import * as d from '#schemas/generated/diagnostics.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Json } from '#schemas/types/json.ts';

import { itemAt, type ResolvedCall, type Rule } from '../rule.ts';

interface Equality {
  readonly left: string;
  readonly value: Json;
  readonly source: string;
  readonly index: number;
}

/** Conditions of one step can hold together. */
export default {
  name: 'no-contradiction',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('expect')) {
      const seen = new Map<string, Equality>();
      for (const equality of equalitiesOf(call)) {
        const before = seen.get(equality.left);
        if (before === undefined) seen.set(equality.left, equality);
        else if (before.value !== equality.value)
          report(
            d.noContradiction({
              at: itemAt(call, 'expect', equality.index),
              condition: equality.source,
              other: before.source,
              related: [{ ...itemAt(call, 'expect', before.index), text: 'the other one' }],
            }),
          );
      }
    }
  },
} satisfies Rule;

function* equalitiesOf({ node: { expect = [] } }: ResolvedCall): Generator<Equality> {
  for (const [index, { tree, source }] of expect.entries())
    for (const { left, value } of parts(tree)) yield { left, value, source, index };
}

function* parts(tree: ConditionTree): Generator<Pick<Equality, 'left' | 'value'>> {
  if (tree.kind === 'and') {
    yield* parts(tree.left);
    yield* parts(tree.right);
  } else if (tree.kind === 'compare' && tree.operator === '==' && tree.right.kind === 'literal')
    yield { left: JSON.stringify(tree.left), value: tree.right.value };
}
