import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { actOf, stepLists } from '../step-lists.ts';

/** What may be done twice on purpose: asking a server or a page again, waiting, making something new each time. */
const mayRepeat = new Set(['network', 'browser', 'clock', 'process', 'db']);

/** No step does what the one before it has done. */
export default {
  name: 'no-duplicate-step',
  preset: 'recommended',
  resolved({ unit, calls, report }) {
    const callOf = new Map(calls.map((call) => [call.node.id, call]));
    for (const list of stepLists(unit)) {
      let before: string | undefined;
      for (const node of list) {
        const call = callOf.get(node.id);
        const isSettled =
          call !== undefined &&
          call.info.repeat !== 'once' &&
          !call.info.effects.some((effect) => mayRepeat.has(effect));
        const act = isSettled && node.kind === undefined ? actOf(node) : undefined;
        if (call && act !== undefined && act === before && !/"ns":"(?:uuid|date)"/.test(act))
          report(d.noDuplicateStep({ at: call.commandAt() }));
        before = act;
      }
    }
  },
} satisfies Rule;
