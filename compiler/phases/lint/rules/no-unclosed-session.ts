import * as d from '#schemas/generated/diagnostics.ts';

import type { ResolvedCall, Rule } from '../rule.ts';

/** Sessions that a file opens are closed by it. The end of the unit closes the rest, so this is no more than a hint. */
export default {
  name: 'no-unclosed-session',
  preset: 'strict',
  resolved({ groups, report }) {
    const closed = new Set(
      groups.of(({ sessions }) => sessions?.closes !== undefined).map(({ info }) => info.sessions?.closes),
    );
    const left = new Map<string, ResolvedCall>();
    for (const call of groups.of(({ sessions }) => sessions?.opens !== undefined)) {
      const session = call.info.sessions?.opens;
      if (session !== undefined && !closed.has(session)) left.set(session, call);
    }
    for (const [session, call] of left) report(d.noUnclosedSession({ at: call.commandAt(), session }));
  },
} satisfies Rule;
