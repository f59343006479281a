import * as d from '#schemas/generated/diagnostics.ts';
import { eachReference } from '#schemas/types/fold-value.ts';
import { blockOf, everyNode } from '#schemas/types/walk-nodes.ts';

import { referencesOf } from '../references.ts';
import type { Rule } from '../rule.ts';

/** A loop does something with its items. */
export default {
  name: 'no-unused-item',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('kind')) {
      const { node } = call;
      if (node.kind !== 'for_each' || !('for_each' in node.args)) continue;
      const names = new Set([node.as, `${node.as}_index`, 'item_index']);
      let isRead = false;
      if (node.collect) eachReference(node.collect, ({ name }) => (isRead ||= names.has(name)));
      const inside = everyNode(blockOf(node, 'do'));
      // Texts that are filled later, and commands that name variables, may read it too.
      isRead ||= inside.some((each) => referencesOf(each).some(({ name }) => names.has(name)));
      isRead ||= [...names].some((name) => JSON.stringify(inside).includes(`{{${name}`));
      if (!isRead) report(d.noUnusedItem({ at: call.commandAt(), name: node.as }));
    }
  },
} satisfies Rule;
