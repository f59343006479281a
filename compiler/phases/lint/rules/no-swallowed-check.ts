import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** What is judged decides. */
export default {
  name: 'no-swallowed-check',
  preset: 'strict',
  resolved({ unit: { order }, calls, report }) {
    if (order.kind === 'list' && order.on_failure === 'continue') return;
    for (const call of calls)
      if (call.node.expect !== undefined && call.node.on_failure === 'continue' && call.section === 'body')
        report(d.noSwallowedCheck({ at: call.optionAt('on_failure') }));
  },
} satisfies Rule;
