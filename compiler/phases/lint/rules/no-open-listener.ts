import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';

/** Servers of a test listen on this machine alone. */
export default {
  name: 'no-open-listener',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ role }) => role === 'interface')))
      for (const { parameter, text } of written(call))
        if (parameter.role === 'interface' && text !== undefined && /^(?:0\.0\.0\.0|::|\[::\]|\*)$/.test(text))
          report(d.noOpenListener({ at: call.argumentAt(parameter.name), host: text }));
  },
} satisfies Rule;
