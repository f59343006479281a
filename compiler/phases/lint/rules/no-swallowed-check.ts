import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** A check of a body's step decides about the step: `expect` goes with no `on_failure: continue`. */
export default {
  name: 'no-swallowed-check',
  preset: 'strict',
  resolved({ unit: { order }, groups, report }) {
    if (order.kind === 'list' && order.on_failure === 'continue') return;
    for (const call of groups.having('expect'))
      if (call.node.expect !== undefined && call.node.on_failure === 'continue' && call.section === 'body')
        report(d.noSwallowedCheck({ at: call.optionAt('on_failure') }));
  },
} satisfies Rule;
