import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';

/** An argument differs from its default. */
export default {
  name: 'no-needless-default',
  preset: 'strict',
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const { parameter, value } of written(call)) {
        const standard = parameter.default;
        if (value === undefined || typeof value === 'object' || standard === undefined || value !== standard) continue;
        const at = call.argumentAt(parameter.name);
        // By position it keeps the place of those behind it; in `meta.defaults` it holds for others too.
        if (at.route.at(-1) !== parameter.name || at.route[0] === 'meta') continue;
        const fix = { title: 'remove it', safety: 'safe', operations: [{ kind: 'remove', route: at.route }] } as const;
        report(d.noNeedlessDefault({ at, name: parameter.name, value: JSON.stringify(value), fixes: [fix] }));
      }
    }
  },
} satisfies Rule;
