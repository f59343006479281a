import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';

import { literalText } from '../flow.ts';
import type { FlowFacts } from '../flow-facts.ts';
import type { Knowledge } from '../knowledge.ts';
import { argumentRoute, type Call } from '../resolved.ts';

/** Reports a variable that a command reads by its name, and that nothing in the file or before it sets. */
export function checkReadByName(call: Call, known: FlowFacts, knowledge: Knowledge): void {
  const { args, signature } = call;
  const parameter = signature.info.variables?.reads?.find((read) => read.startsWith('param:'))?.slice('param:'.length);
  // With a default, a step asks whether the variable is there.
  if (parameter === undefined || (args['default'] ?? null) !== null) return;
  const { definers, document, isIncomplete, report, suggestions, tokens, unread } = knowledge;
  const name = literalText(args[parameter] ?? null, tokens);
  if (name === undefined || isIncomplete || known.isOpen()) return;
  if (known.hasVariable(name) || definers().has(name) || unread().has(name)) return;
  const near = suggestions.nearest(name, known.variableCount(), known.variables);
  const at = {
    source: document.source,
    route: argumentRoute(call, parameter, document),
    part: 'value',
  } as const;
  const fixes: readonly Fix[] = near.slice(0, 1).map((value) => ({
    title: `write ${value}`,
    safety: 'unsafe',
    operations: [{ kind: 'replace', route: at.route, value }],
  }));
  report(
    d.variableNeverSet({
      at,
      name,
      command: signature.info.name,
      nearest: near.length === 0 ? undefined : near.join('" or "'),
      fixes,
    }),
  );
}
