import * as d from '#schemas/generated/diagnostics.ts';

import { itemAt, type Rule } from '../rule.ts';

/** Each dependency of a step is another one. */
export default {
  name: 'no-duplicate-dependency',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('after')) {
      const seen = new Set<string>();
      for (const [index, before] of (call.node.after ?? []).entries()) {
        const isKnown = seen.has(before);
        seen.add(before);
        if (!isKnown) continue;
        const at = itemAt(call, 'depends_on', index);
        report(
          d.noDuplicateDependency({
            at,
            before: before.slice(before.indexOf('#') + 1),
            fixes: [{ title: 'remove it', safety: 'safe', operations: [{ kind: 'remove', route: at.route }] }],
          }),
        );
      }
    }
  },
} satisfies Rule;
