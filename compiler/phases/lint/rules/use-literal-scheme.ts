import { portFacts } from '#schemas/generated/port-facts.ts';
import * as d from '#schemas/generated/diagnostics.ts';

import { choiceOf } from '../../6-plan/choices.ts';
import type { Rule } from '../rule.ts';

/** An address that chooses a provider is literal: where only a run knows it, a program carries each of them. */
export default {
  name: 'use-literal-scheme',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ chooses }) => chooses !== undefined))) {
      for (const parameter of call.info.params) {
        const { name, chooses } = parameter;
        const value = call.node.args[name];
        if (chooses === undefined || value === undefined) continue;
        const { ports, isKnown } = choiceOf(parameter, value);
        if (isKnown) continue;
        const kib = ports.reduce((sum, port) => sum + (portFacts[port]?.kib ?? 0), 0);
        report(
          d.useLiteralScheme({
            at: call.argumentAt(name),
            parameter: name,
            providers: ports.join(', '),
            kib: Number(kib.toPrecision(2)),
          }),
        );
      }
    }
  },
} satisfies Rule;
