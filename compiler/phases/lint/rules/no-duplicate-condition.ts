import * as d from '#schemas/generated/diagnostics.ts';

import { itemAt, type Rule } from '../rule.ts';

/** Each condition of a step is another one. */
export default {
  name: 'no-duplicate-condition',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('expect')) {
      const { expect = [] } = call.node;
      if (expect.length < 2) continue;
      const seen = new Set<string>();
      for (const [index, { tree, source }] of expect.entries()) {
        const text = JSON.stringify(tree);
        const at = itemAt(call, 'expect', index);
        const fix = { title: 'remove it', safety: 'safe', operations: [{ kind: 'remove', route: at.route }] } as const;
        if (seen.has(text)) report(d.noDuplicateCondition({ at, condition: source, fixes: [fix] }));
        seen.add(text);
      }
    }
  },
} satisfies Rule;
