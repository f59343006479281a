import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { unjudgedRequests } from '../unjudged-requests.ts';

/** A request says what a right answer looks like, itself or by a later step that looks at the answer. */
export default {
  name: 'use-check',
  preset: 'strict',
  resolved({ calls, report }) {
    for (const call of unjudgedRequests(calls)) report(d.useCheck({ at: call.commandAt() }));
  },
} satisfies Rule;
