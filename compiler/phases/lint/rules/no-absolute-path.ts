import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { shown } from '../texts.ts';

/** Files that are read are named from the project. Where files are written to has a rule of its own. */
export default {
  name: 'no-absolute-path',
  preset: 'strict',
  argument: {
    wants: ({ role, access }) => role === 'local-path' && access?.some((each) => each !== 'read') !== true,
    look({ parameter, text }, call, report) {
      if (text !== undefined && /^(?:[A-Za-z]:[\\/]|\/|~(?:[\\/]|$))/.test(text))
        report(d.noAbsolutePath({ at: call.argumentAt(parameter.name), path: shown(text) }));
    },
  },
} satisfies Rule;
