import type { Dag } from '#compiler/graph/dag.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import { stepRoute } from '../3-parse/routes.ts';

import { effectsOf, type GraphEffects } from './flows.ts';
import type { Knowledge } from './knowledge.ts';
import { keyOf, type Call, type CallList } from './resolved.ts';
import { listsOf } from './walk-calls.ts';

/**
 * Two nodes without an order that write one variable, or drive one session: what is left would depend on chance.
 * `last_response` is each branch's own.
 */
export function reportConflicts(list: CallList, dag: Dag, graph: GraphEffects, knowledge: Knowledge): void {
  const calls = new Map<string, Call>(list.calls.map((call) => [keyOf(call), call]));
  const rank = new Map(dag.order.map((id, index) => [id, index]));
  const ordered = (ids: readonly string[]): readonly string[] =>
    ids.toSorted((left, right) => (rank.get(left) ?? 0) - (rank.get(right) ?? 0));
  const labels = (first: string, second: string): { at: Label; related: Label[] } => ({
    at: labelOf(calls.get(second), knowledge),
    related: [labelOf(calls.get(first), knowledge)],
  });
  const names = ([first, second]: readonly [string, string]) => ({
    first: nameOf(calls.get(first)),
    second: nameOf(calls.get(second)),
  });
  for (const [name, ids] of graph.definers) {
    if (name === 'last_response') continue;
    const pair = unordered(ordered(ids), dag);
    if (pair !== undefined) knowledge.report(d.unorderedWriters({ ...labels(...pair), ...names(pair), name }));
  }
  for (const session of sessionsOf(graph)) {
    const { groups, rivals } = sharers(session, list, dag, graph);
    for (const { user, pair } of rivals) {
      const related = pair.map((id) => labelOf(calls.get(id), knowledge));
      knowledge.report(
        d.ambiguousSession({
          at: labelOf(calls.get(user), knowledge),
          related,
          user: nameOf(calls.get(user)),
          ...names(pair),
          session,
        }),
      );
    }
    const pair = groups.map((ids) => unordered(ordered(ids), dag)).find((each) => each !== undefined);
    if (pair !== undefined && rivals.length === 0)
      knowledge.report(d.unorderedSession({ ...labels(...pair), ...names(pair), session }));
  }
}

/** The iterations of a loop that run at once have no order: none may use a session that it does not open itself. */
export function reportSharedSession(call: Call, knowledge: Knowledge): void {
  const [session] = effectsOf([call], knowledge).uses;
  if (session !== undefined) knowledge.report(d.iterationsShareSession({ at: labelOf(call, knowledge), session }));
}

/** Two branches of `parallel` that write one variable, or drive one session that neither of them opened. */
export function reportBranches(call: Call, knowledge: Knowledge): void {
  const writers = new Map<string, Branch>();
  const drivers = new Map<string, Branch>();
  const clash = (seen: Map<string, Branch>, name: string, branch: Branch): Branch | undefined => {
    const first = seen.get(name);
    if (first === undefined) seen.set(name, branch);
    return first?.name === branch.name ? undefined : first;
  };
  for (const [block, { calls, list }] of listsOf(call)) {
    const at: Label = { source: knowledge.document.source, route: list.route, part: 'value' };
    const branch: Branch = { name: block.slice('parallel.'.length), at };
    const { defines, uses, closes, opens } = effectsOf(calls, knowledge);
    for (const name of defines) {
      const first = name === 'last_response' ? undefined : clash(writers, name, branch);
      if (first !== undefined) knowledge.report(d.unorderedWriters({ ...pairOf(first, branch), name }));
    }
    for (const session of new Set([...uses, ...[...closes].filter((each) => !opens.has(each))])) {
      const first = clash(drivers, session, branch);
      if (first !== undefined) knowledge.report(d.unorderedSession({ ...pairOf(first, branch), session }));
    }
  }
}

interface Branch {
  readonly name: string;
  readonly at: Label;
}

/** Two branches as messages name and show them. */
function pairOf(first: Branch, second: Branch) {
  return { at: second.at, related: [first.at], first: first.name, second: second.name };
}

/** Name of a node in a message: its id, else its command. */
function nameOf(call: Call | undefined): string {
  return call?.step.options?.id ?? call?.step.command ?? '';
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

interface Sharers {
  /** Nodes that use what one node opened, or what was open before the graph. */
  readonly groups: readonly (readonly string[])[];
  /** Nodes that depend on two of which each opens a session, and neither comes after the other. */
  readonly rivals: readonly { readonly user: string; readonly pair: readonly [string, string] }[];
}

function sharers(session: string, list: CallList, dag: Dag, graph: GraphEffects): Sharers {
  const ids = list.calls.map(keyOf);
  const openers = ids.filter((id) => graph.effects.get(id)?.opens.has(session));
  const groups = new Map<string, string[]>();
  const rivals: Sharers['rivals'][number][] = [];
  for (const id of ids) {
    const effects = graph.effects.get(id);
    if (
      effects === undefined ||
      !(effects.uses.has(session) || (effects.closes.has(session) && !effects.opens.has(session)))
    )
      continue;
    const before = openers.filter((opener) => dag.isBefore(opener, id));
    const [owner, rival] = before.filter((opener) => !before.some((other) => dag.isBefore(opener, other)));
    if (owner !== undefined && rival !== undefined) rivals.push({ user: id, pair: [owner, rival] });
    const group = groups.get(owner ?? '');
    if (group === undefined) groups.set(owner ?? '', [id]);
    else group.push(id);
  }
  return { groups: [...groups.values()], rivals };
}
