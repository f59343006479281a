import { referencesOf } from './references.ts';
import { literal, type ResolvedCall } from './rule.ts';

/**
 * Requests of which nobody says what a right answer looks like: neither themselves nor a later step that looks at the
 * answer.
 */
export function unjudgedRequests(calls: readonly ResolvedCall[]): readonly ResolvedCall[] {
  return calls.filter((call, index) => asks(call) && !judges(call) && !isLookedAt(calls, index + 1));
}

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
function isLookedAt(calls: readonly ResolvedCall[], from: number): boolean {
  for (let index = from; index < calls.length; index += 1) {
    const call = calls[index];
    if (call === undefined) continue;
    if (call.info.variables?.reads?.includes('last_response')) return true;
    for (const { ns, name } of referencesOf(call.node)) if (ns === 'var' && name === 'last_response') return true;
    if (asks(call)) return false;
  }
  return false;
}
