import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** Servers of a test take a port that is free. */
export default {
  name: 'no-fixed-port',
  preset: 'strict',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ sessions }) => sessions?.opens !== undefined)) {
      const port =
        call.info.sessions?.opens !== undefined && call.isWritten('port') ? literal(call, 'port') : undefined;
      if (typeof port === 'number' && port !== 0) report(d.noFixedPort({ at: call.argumentAt('port'), port }));
    }
  },
} satisfies Rule;
