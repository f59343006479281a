import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type ResolvedCall, type Rule } from '../rule.ts';
import { unjudgedRequests } from '../unjudged-requests.ts';

const judging = /(?:_assert|_verify|_check|_validate|_compare|_match|_wait_for)/;

/** A test judges something. What `use-check` says of its requests is not said again. */
export default {
  name: 'use-assertion',
  preset: 'strict',
  resolved({ calls, report }) {
    const first = calls.find(({ info }) => info.effects.includes('network') && info.domain !== 'files');
    if (first && !calls.some(judges) && unjudgedRequests(calls).length === 0)
      report(d.useAssertion({ at: first.commandAt() }));
  },
} satisfies Rule;

function judges(call: ResolvedCall): boolean {
  const { node, info } = call;
  if (node.expect !== undefined || node.kind === 'until' || node.kind === 'use' || info.verdict !== undefined)
    return true;
  if (judging.test(node.command)) return true;
  return info.params.some(
    ({ name, judges: key }) => key !== undefined && call.isWritten(name) && literal(call, name) !== null,
  );
}
