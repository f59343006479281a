import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** A browser waits in one way. */
export default {
  name: 'no-mixed-waits',
  preset: 'recommended',
  resolved({ calls, report }) {
    const implicit = calls.find(
      (call) => call.node.command === 'WR_implicitly_wait' && literal(call, 'time_to_wait') !== 0,
    );
    const explicit = calls.find(({ node }) => /^WR_explici?t_wait$/.test(node.command));
    if (implicit && explicit)
      report(
        d.noMixedWaits({
          at: implicit.commandAt(),
          command: implicit.node.command,
          related: [{ ...explicit.commandAt(), text: 'it waits here' }],
        }),
      );
  },
} satisfies Rule;
