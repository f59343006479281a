import type { Dag } from '#compiler/graph/dag.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import { stepRoute } from '../1-parse/routes.ts';

import type { GraphEffects } from './flows.ts';
import type { Knowledge } from './knowledge.ts';
import type { Call, CallList } from './resolved.ts';

/**
 * Two nodes without an order that write one variable, or drive one session: what is left would depend on chance (LANGUAGE
 * §6). `last_response` is each branch's own.
 */
export function reportConflicts(list: CallList, dag: Dag, graph: GraphEffects, knowledge: Knowledge): void {
  const calls = new Map<string, Call>(list.calls.map((call) => [call.step.options?.id ?? '', call]));
  const rank = new Map(dag.order.map((id, index) => [id, index]));
  const ordered = (ids: readonly string[]): readonly string[] => ids.toSorted((left, right) => (rank.get(left) ?? 0) - (rank.get(right) ?? 0));
  const labels = (first: string, second: string): { at: Label; related: Label[] } => ({
    at: labelOf(calls.get(second), knowledge),
    related: [labelOf(calls.get(first), knowledge)],
  });
  for (const [name, ids] of graph.definers) {
    if (name === 'last_response') continue;
    const pair = unordered(ordered(ids), dag);
    if (pair !== undefined) knowledge.report(d.unorderedWriters({ ...labels(...pair), first: pair[0], second: pair[1], name }));
  }
  for (const session of sessionsOf(graph)) {
    for (const ids of sharers(session, list, dag, graph)) {
      const pair = unordered(ordered(ids), dag);
      if (pair === undefined) continue;
      knowledge.report(d.unorderedSession({ ...labels(...pair), first: pair[0], second: pair[1], session }));
      break;
    }
  }
}

function labelOf(call: Call | undefined, { document }: Knowledge): Label {
  return { source: document.source, route: call === undefined ? [] : stepRoute(call.step), part: 'value' };
}

/** Two neighbours in the order of which neither depends on the other: where there are none, all are in one chain. */
function unordered(ids: readonly string[], dag: Dag): readonly [string, string] | undefined {
  for (const [index, id] of ids.entries()) {
    const before = ids[index - 1];
    if (before !== undefined && !dag.isBefore(before, id)) return [before, id];
  }
  return undefined;
}

function sessionsOf(graph: GraphEffects): ReadonlySet<string> {
  return new Set([...graph.effects.values()].flatMap(({ uses, opens, closes }) => [...uses, ...opens, ...closes]));
}

/**
 * Groups of nodes that share one open session: those that use what one node opened, or what was open before the graph; and
 * nodes that both open what a third one uses.
 */
function sharers(session: string, list: CallList, dag: Dag, graph: GraphEffects): readonly (readonly string[])[] {
  const ids = list.calls.map((call) => call.step.options?.id ?? '');
  const openers = ids.filter((id) => graph.effects.get(id)?.opens.has(session));
  const groups = new Map<string, string[]>();
  const rivals: (readonly string[])[] = [];
  for (const id of ids) {
    const effects = graph.effects.get(id);
    if (effects === undefined || !(effects.uses.has(session) || (effects.closes.has(session) && !effects.opens.has(session)))) continue;
    const before = openers.filter((opener) => dag.isBefore(opener, id));
    const last = before.filter((opener) => !before.some((other) => dag.isBefore(opener, other)));
    if (last.length > 1) rivals.push(last);
    const owner = last[0] ?? '';
    groups.set(owner, [...(groups.get(owner) ?? []), id]);
  }
  return [...rivals, ...groups.values()];
}
