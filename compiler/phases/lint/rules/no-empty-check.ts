import * as d from '#schemas/generated/diagnostics.ts';
import { isObject } from '#schemas/types/json.ts';

import type { Rule } from '../rule.ts';

/** Parameters that say what is expected, each by its name. */
const EXPECTATIONS: ReadonlySet<string> = new Set(['check_dict', 'result_check_dict', 'thresholds']);

/** A check compares something. */
export default {
  name: 'no-empty-check',
  preset: 'recommended',
  argument: {
    wants: ({ name }) => EXPECTATIONS.has(name),
    look({ parameter: { name }, value }, call, report) {
      if (isObject(value) && Object.keys(value).length === 0)
        report(d.noEmptyCheck({ at: call.argumentAt(name), name }));
    },
  },
} satisfies Rule;
