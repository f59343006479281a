import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** No step overwrites an input. */
export default {
  name: 'no-overwritten-input',
  preset: 'recommended',
  resolved({ unit: { inputs }, groups, at, report }) {
    if (inputs.length === 0) return;
    const names = new Set(inputs.map(({ name }) => `variable:${name}`));
    for (const call of groups.having('provides'))
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
