import * as d from '#schemas/generated/diagnostics.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import { foldValue, type ValueForms } from '#schemas/types/fold-value.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Node, Value } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import { literal, type CallGroups, type ResolvedCall, type Rule } from '../rule.ts';

/** A command that must not happen twice is not retried. */
export default {
  name: 'no-retry-once',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('retry')) {
      const { retry } = call.node;
      if (retry === undefined || retry.max_attempts === 1) continue;
      const command = happensOnce(call, groups.byId);
      if (command !== undefined) report(d.noRetryOnce({ at: call.optionAt('retry'), command }));
    }
  },
} satisfies Rule;

/** The command that must not be repeated: the call's own, or, where it holds steps, one of those. */
function happensOnce(call: ResolvedCall, callOf: CallGroups['byId']): string | undefined {
  const { node, info } = call;
  const request = requestOf(call);
  if (request !== undefined) return request.isOnce ? `${node.command} (${request.method})` : undefined;
  if (info.repeat !== 'once') return undefined;
  const inside = stepsInside(node);
  if (inside === undefined) return node.command;
  return inside
    .map(({ id }) => callOf(id))
    .map((each) => each && happensOnce(each, callOf))
    .find((command) => command !== undefined);
}

/**
 * The request that a call sends, where its method is written: one that makes something new each time (RFC 9110, 9.2.2)
 * happens once, but for one that tells the server by a key that it is the same, and for one that waits for something.
 */
function requestOf(call: ResolvedCall): { readonly method: string; readonly isOnce: boolean } | undefined {
  const { narrows } = call.info as Partial<CommandInfo>;
  if (narrows?.by !== 'answer' || narrows.method === undefined) return undefined;
  const written = literal(call, narrows.method);
  if (typeof written !== 'string') return undefined;
  const method = written.replace(/^session_/i, '').toUpperCase();
  const isKeyed = keysOf(call.node.args['headers']).some((name) => /^(?:x-)?idempotency-key$/i.test(name));
  const isWaiting = call.node.retry?.max_s !== undefined;
  return { method, isOnce: /^(?:POST|PATCH)$/.test(method) && !isKeyed && !isWaiting };
}

/** Keys of an object, those too whose values hold references. */
function keysOf(value: Value | undefined): readonly string[] {
  const none = (): readonly string[] => [];
  const forms: ValueForms<readonly string[]> = {
    lit: (literal) => (isObject(literal) ? Object.keys(literal) : []),
    map: (entries) => entries.map(([key]) => key),
    text: none,
    ref: none,
    list: none,
    block: none,
  };
  return value === undefined ? [] : foldValue(value, forms);
}

function stepsInside(node: Node): readonly Node[] | undefined {
  const blocks = blocksOf(node);
  return blocks.length === 0 ? undefined : blocks.flatMap(({ nodes }) => nodes);
}
