import * as d from '#schemas/generated/diagnostics.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import type { Rule } from '../rule.ts';

/** A list of steps has steps. */
export default {
  name: 'no-empty-block',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ list }) => list === 'run' || list === 'background'))) {
      for (const { parameter, nodes } of blocksOf(call.node)) {
        if (nodes.length === 0 && call.isWritten(parameter))
          report(d.noEmptyBlock({ at: call.argumentAt(parameter), parameter, command: call.node.command }));
      }
    }
  },
} satisfies Rule;
