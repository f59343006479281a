import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

const fixedWaits = new Set(['WR_pw_wait_for_timeout']);

/** A browser test waits for what must happen, not for a time. */
export default {
  name: 'no-hard-wait',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ name }) => fixedWaits.has(name)))
      if (fixedWaits.has(call.node.command)) report(d.noHardWait({ at: call.commandAt(), command: call.node.command }));
  },
} satisfies Rule;
