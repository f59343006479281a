import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import type { Rule } from '../rule.ts';

/** Names of steps tell them apart. */
export default {
  name: 'no-duplicate-name',
  preset: 'recommended',
  resolved({ groups, report }) {
    const seen = new Map<string, Label>();
    for (const call of groups.having('name')) {
      const { name } = call.node;
      if (name === undefined) continue;
      const at = call.optionAt('name');
      const before = seen.get(name);
      if (before) report(d.noDuplicateName({ at, name, related: [{ ...before, text: 'the first one' }] }));
      else seen.set(name, at);
    }
  },
} satisfies Rule;
