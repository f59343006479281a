import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** A name says something. */
export default {
  name: 'no-blank-name',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('name')) {
      const { name } = call.node;
      if (name === undefined || name.trim() !== '') continue;
      const at = call.optionAt('name');
      const fix = {
        title: 'leave it out',
        safety: 'unsafe',
        operations: [{ kind: 'remove', route: at.route }],
      } as const;
      report(d.noBlankName({ at, fixes: [fix] }));
    }
  },
} satisfies Rule;
