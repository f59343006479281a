import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { shown } from '../texts.ts';

/** A path names one file or folder. */
export default {
  name: 'no-pattern-as-path',
  preset: 'recommended',
  hint: /\*/,
  argument: {
    wants: ({ role, language }, _info, mayHold) =>
      (role === 'local-path' || language === 'storage-uri') && mayHold(/\*/),
    look({ parameter, text }, call, report) {
      if (text?.includes('*') === true)
        report(d.noPatternAsPath({ at: call.argumentAt(parameter.name), path: shown(text) }));
    },
  },
} satisfies Rule;
