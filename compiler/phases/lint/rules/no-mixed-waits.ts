import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** A browser waits in one way. */
export default {
  name: 'no-mixed-waits',
  preset: 'recommended',
  resolved({ groups, report }) {
    const implicit = groups
      .of(({ name }) => name === 'WR_implicitly_wait')
      .find((call) => literal(call, 'time_to_wait') !== 0);
    const [explicit] = groups.of(({ name }) => /^WR_explici?t_wait$/.test(name));
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
