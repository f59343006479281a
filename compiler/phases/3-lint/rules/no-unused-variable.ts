import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

const prefix = 'variable:';

/** What is captured is used. Only under `strict`: a file that depends on this one may read it. */
export default {
  name: 'no-unused-variable',
  preset: 'strict',
  resolved({ calls, report }) {
    const read = new Set(calls.flatMap(({ node }) => node.uses ?? []));
    for (const call of calls) {
      for (const made of call.node.provides ?? []) {
        if (!made.startsWith(prefix) || read.has(made)) continue;
        const captured = call.node.save_as?.some(({ name }) => `${prefix}${name}` === made) === true;
        report(d.noUnusedVariable({ at: captured ? call.optionAt('save_as') : call.commandAt(), name: made.slice(prefix.length) }));
      }
    }
  },
} satisfies Rule;
