import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** A request says what a right answer looks like. */
export default {
  name: 'use-check',
  preset: 'strict',
  resolved({ calls, report }) {
    for (const call of calls) {
      const judges = call.info.params.some(({ name }) => name === 'result_check_dict');
      if (!judges || call.node.expect || call.node.save_as) continue;
      const check = call.node.args['result_check_dict'];
      if (check === undefined || literal(call, 'result_check_dict') === null) report(d.useCheck({ at: call.commandAt() }));
    }
  },
} satisfies Rule;
