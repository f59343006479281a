import { MAKERS, OPENERS } from '#schemas/generated/openers.ts';

import type { Step } from '../../3-parse/ast.ts';

import { flowOf } from '../flow.ts';
import { ASSUMED, type FlowFacts, type SessionState } from '../flow-facts.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Call } from '../resolved.ts';
import { resultOf } from '../typed-by.ts';
import { ANY, asSchema } from '../value-type.ts';

/**
 * Tells whoever follows the file what is known at a step. `call`: undefined for a step of which nothing could be made.
 */
export function tell(
  step: Step,
  call: Call | undefined,
  known: FlowFacts,
  moment: 'before' | 'after',
  knowledge: Knowledge,
): void {
  const { follow, document } = knowledge;
  follow?.({
    document,
    step,
    moment,
    scope: () =>
      [...new Set(known.variables())].toSorted().flatMap((name) => {
        const variable = known.variable(name);
        if (variable === undefined) return [];
        return [{ name, type: asSchema(variable.cell.get()), ...(variable.gap && { maybe: true as const }) }];
      }),
    open: () =>
      [...Object.keys(OPENERS), ...Object.keys(MAKERS)].filter((name) => {
        const session = known.session(name);
        return session !== ASSUMED && OPEN.has(session.state);
      }),
    result: () => (call === undefined ? {} : asSchema(resultOf(call, known, knowledge).get())),
    defines: () => {
      const names = call && flowOf(call, knowledge.tokens, knowledge.profiles)?.defines;
      return Object.fromEntries(
        (names ?? []).map((name) => [name, asSchema(known.variable(name)?.cell.get() ?? ANY)] as const),
      );
    },
  });
}

/** States in which a session may be open. */
const OPEN: ReadonlySet<SessionState> = new Set(['open', 'doubtful', 'maybe']);
