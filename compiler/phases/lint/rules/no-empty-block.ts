import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** A list of steps has steps. */
export default {
  name: 'no-empty-block',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const [name, value] of Object.entries(call.node.args)) {
        if ('block' in value && value.block.length === 0 && call.isWritten(name))
          report(d.noEmptyBlock({ at: call.argumentAt(name), parameter: name, command: call.node.command }));
      }
    }
  },
} satisfies Rule;
