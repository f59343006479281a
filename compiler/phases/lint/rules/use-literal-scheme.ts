import { portFacts } from '#schemas/generated/port-facts.ts';
import * as d from '#schemas/generated/diagnostics.ts';

import { choiceOf } from '../../6-plan/choices.ts';
import type { Rule } from '../rule.ts';

/** What only a run knows chooses among all providers: a program carries each of them. */
export default {
  name: 'use-literal-scheme',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const { name, chooses } of call.info.params) {
        const value = call.node.args[name];
        if (chooses === undefined || value === undefined) continue;
        const { ports, isKnown } = choiceOf(chooses, value);
        if (!isKnown)
          report(
            d.useLiteralScheme({
              at: call.argumentAt(name),
              parameter: name,
              providers: ports.join(', '),
              kib: ports.reduce((sum, port) => sum + (portFacts[port]?.kib ?? 0), 0),
            }),
          );
      }
    }
  },
} satisfies Rule;
