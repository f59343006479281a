import * as d from '#schemas/generated/diagnostics.ts';
import type { Parameter } from '#schemas/types/command.ts';

import type { Rule } from '../rule.ts';

/** Names of things have no blanks around them. */
export default {
  name: 'no-edge-space',
  preset: 'recommended',
  argument: {
    wants: isOfName,
    look({ parameter, value }, call, report) {
      if (typeof value !== 'string' || value === value.trim() || value.trim() === '') return;
      const at = call.argumentAt(parameter.name);
      const fix = {
        title: 'leave the blanks out',
        safety: 'unsafe',
        operations: [{ kind: 'replace', route: at.route, value: value.trim() }],
      } as const;
      report(d.noEdgeSpace({ at, name: parameter.name, fixes: [fix] }));
    },
  },
} satisfies Rule;

/** Whether the values of a parameter name something, so that blanks around them are none of it. */
function isOfName({ role, language, name }: Parameter): boolean {
  return role === 'local-path' || role === 'host' || language === 'url' || name.endsWith('selector');
}
