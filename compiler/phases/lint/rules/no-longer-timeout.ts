import * as d from '#schemas/generated/diagnostics.ts';
import type { Callable, Parameter } from '#schemas/types/command.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import { blocksOf, everyNode } from '#schemas/types/walk-nodes.ts';

import { literal, type CallGroups, type ResolvedCall, type Rule } from '../rule.ts';

interface Limit {
  readonly seconds: number;
  readonly at: () => Label;
  /** Present where it bounds all attempts, the step's own limit one of them. */
  readonly ofAll?: true;
}

/** No limit is longer than one around it. */
export default {
  name: 'no-longer-timeout',
  preset: 'recommended',
  judgesValues: true,
  resolved({ unit, calls, groups, report }) {
    const timeouts = new Map<Callable, readonly Parameter[]>();
    const blocks = limitsOfBlocks(groups);
    // Without a limit of its own a step has none but those around it.
    for (const call of unit.timeout_s === undefined && blocks.size === 0 ? groups.having('timeout_s') : calls) {
      const own = call.node.timeout_s;
      const around = limitAround(call, blocks, unit.timeout_s);
      const limiting = timeouts.get(call.info) ?? timeoutsOf(call.info);
      timeouts.set(call.info, limiting);
      // Nothing around it, and nothing inside it: most steps.
      if (around.limit === Infinity && limiting.length === 0) continue;
      for (const { seconds, at, ofAll } of limitsOf(call, limiting)) {
        const isStep = own !== undefined && !ofAll && seconds > own;
        const { limit, holder } = isStep ? { limit: own, holder: 'the step' } : around;
        if (seconds > limit) report(d.noLongerTimeout({ at: at(), seconds, limit, holder }));
      }
    }
  },
} satisfies Rule;

/** The limit of the blocks in which each step stands that stands in one with a limit: the shortest. */
function limitsOfBlocks(groups: CallGroups): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { node, holdsSteps } of groups.having('timeout_s')) {
    if (!holdsSteps || node.timeout_s === undefined) continue;
    for (const { id } of everyNode(blocksOf(node).flatMap(({ nodes }) => nodes)))
      limits.set(id, Math.min(limits.get(id) ?? Infinity, node.timeout_s));
  }
  return limits;
}

interface Around {
  readonly limit: number;
  readonly holder: string;
}

/** The shortest limit around a step; setup and teardown are not bounded by that of the file. */
function limitAround({ node, section }: ResolvedCall, blocks: ReadonlyMap<string, number>, ofFile = Infinity): Around {
  const file = section === 'body' ? ofFile : Infinity;
  const block = blocks.get(node.id) ?? Infinity;
  return block <= file ? { limit: block, holder: 'the block around it' } : { limit: file, holder: 'the file' };
}

function limitsOf(call: ResolvedCall, timeouts: readonly Parameter[]): readonly Limit[] {
  const { timeout_s, retry } = call.node;
  const limits: Limit[] = [];
  if (timeout_s !== undefined) limits.push({ seconds: timeout_s, at: () => call.optionAt('timeout_s') });
  if (retry?.max_s !== undefined) limits.push({ seconds: retry.max_s, at: () => insideRetry(call), ofAll: true });
  const most = call.node.kind === 'until' && call.isWritten('max_s') ? literal(call, 'max_s') : undefined;
  if (typeof most === 'number') limits.push({ seconds: most, at: () => call.argumentAt('max_s'), ofAll: true });
  for (const parameter of timeouts) {
    const value = call.writtenAs(parameter)?.value;
    if (typeof value !== 'number') continue;
    const seconds = parameter.unit === 'milliseconds' ? value / 1000 : value;
    limits.push({ seconds, at: () => call.argumentAt(parameter.name) });
  }
  return limits;
}

/** Parameters that limit how long a command takes. */
function timeoutsOf({ params }: Callable): readonly Parameter[] {
  return params.filter(({ name, role }) => role === 'duration' && name.includes('timeout'));
}

function insideRetry(call: ResolvedCall): Label {
  const at = call.optionAt('retry');
  return { ...at, route: [...at.route, 'max_s'] };
}
