import * as d from '#schemas/generated/diagnostics.ts';
import { CLOSERS } from '#schemas/generated/openers.ts';

import { kindOf } from '../../4-resolve/flow-facts.ts';
import { thing } from '../../4-resolve/sessions.ts';
import type { ResolvedCall, Rule } from '../rule.ts';

/** A run stays for these until they are ended, or until the time of `meta.run_for_s` is over. */
const STAYING: ReadonlySet<string> = new Set(['job', 'monitor', 'watch']);

/**
 * Sessions, servers, watches and the like that a file opens are ended by it. The end of the unit ends the rest, so this
 * is no more than a hint.
 */
export default {
  name: 'no-unclosed-session',
  preset: 'strict',
  resolved({ left, unit, report }) {
    for (const { name, call } of left) {
      const kind = kindOf(name);
      const [closer] =
        CLOSERS[kind]?.toSorted((one, other) => alike(other, call) - alike(one, call) || one.length - other.length) ??
        [];
      if (closer === undefined || kind.endsWith('-element')) continue;
      if (STAYING.has(kind) && unit.run_for_s !== undefined) continue;
      report(d.noUnclosedSession({ at: call.commandAt(), what: thing(name), closer }));
    }
  },
} satisfies Rule;

/** Number of letters with which two names of commands begin alike: those of one family say what they open and end. */
function alike(closer: string, { info }: ResolvedCall): number {
  let count = 0;
  while (count < closer.length && closer[count] === info.name[count]) count += 1;
  return count;
}
