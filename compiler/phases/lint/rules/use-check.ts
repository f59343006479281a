import * as d from '#schemas/generated/diagnostics.ts';

import { referencesOf } from '../references.ts';
import { literal, type ResolvedCall, type Rule } from '../rule.ts';

/** A request says what a right answer looks like, itself or by a later step that looks at the answer. */
export default {
  name: 'use-check',
  preset: 'strict',
  resolved({ calls, report }) {
    for (const [index, call] of calls.entries()) {
      if (!asks(call) || judges(call) || isLookedAt(calls.slice(index + 1))) continue;
      report(d.useCheck({ at: call.commandAt() }));
    }
  },
} satisfies Rule;

function asks({ info }: ResolvedCall): boolean {
  return info.variables?.defines?.includes('last_response') === true;
}

function judges(call: ResolvedCall): boolean {
  const { node, info } = call;
  const checks = info.params.filter(({ name, judges }) => judges !== undefined && node.args[name] !== undefined);
  return (
    node.expect !== undefined || node.save_as !== undefined || checks.some(({ name }) => literal(call, name) !== null)
  );
}

/** Whether the answer is read before the next request takes its place. */
function isLookedAt(later: readonly ResolvedCall[]): boolean {
  for (const call of later) {
    if (call.info.variables?.reads?.includes('last_response')) return true;
    for (const { ns, name } of referencesOf(call.node)) if (ns === 'var' && name === 'last_response') return true;
    if (asks(call)) return false;
  }
  return false;
}
