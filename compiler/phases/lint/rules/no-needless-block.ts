import * as d from '#schemas/generated/diagnostics.ts';
import { isList } from '#schemas/types/json.ts';

import { literal, type ResolvedCall, type Rule } from '../rule.ts';

/** A loop has several elements, and `parallel` several blocks. */
export default {
  name: 'no-needless-block',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('kind'))
      if (isOne(call)) report(d.noNeedlessBlock({ at: call.commandAt(), form: call.node.command }));
  },
} satisfies Rule;

function isOne(call: ResolvedCall): boolean {
  const { node } = call;
  if (node.kind === 'parallel') return node.blocks.length === 1;
  const items = node.kind === 'for_each' ? literal(call, 'for_each') : undefined;
  return isList(items) && items.length === 1;
}
