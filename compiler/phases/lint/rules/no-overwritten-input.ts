import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** What is given stays what was given. */
export default {
  name: 'no-overwritten-input',
  preset: 'recommended',
  resolved({ unit: { inputs }, calls, at, report }) {
    if (inputs.length === 0) return;
    const names = new Set(inputs.map(({ name }) => `variable:${name}`));
    for (const call of calls)
      for (const made of call.node.provides ?? [])
        if (names.has(made)) {
          const name = made.slice('variable:'.length);
          report(
            d.noOverwrittenInput({
              at: call.commandAt(),
              name,
              related: [{ ...at(['meta', 'inputs', name], 'key'), text: 'the input' }],
            }),
          );
        }
  },
} satisfies Rule;
