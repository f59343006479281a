import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';
import { shown } from '../texts.ts';

/** Files that are read are named from the project. Where files are written to has a rule of its own. */
export default {
  name: 'no-absolute-path',
  preset: 'strict',
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ role }) => role === 'local-path'))) {
      for (const { parameter, text } of written(call)) {
        if (parameter.role !== 'local-path' || text === undefined) continue;
        if (parameter.access?.some((access) => access !== 'read')) continue;
        if (/^(?:[A-Za-z]:[\\/]|\/|~(?:[\\/]|$))/.test(text))
          report(d.noAbsolutePath({ at: call.argumentAt(parameter.name), path: shown(text) }));
      }
    }
  },
} satisfies Rule;
