import * as d from '#schemas/generated/diagnostics.ts';
import type { Node } from '#schemas/types/plan.ts';
import { blocksOf, everyNode } from '#schemas/types/walk-nodes.ts';

import { written } from '../literals.ts';
import type { CallGroups, ResolvedCall, ResolvedUnit, Rule } from '../rule.ts';
import { REFERENCE } from '../texts.ts';

/** Most steps of a graph for which all ways are followed. */
const MOST = 2000;

interface Writer {
  readonly branch: number;
  readonly call: ResolvedCall;
}

/** Steps of several branches write to several places. */
export default {
  name: 'no-parallel-write',
  preset: 'recommended',
  resolved(unit) {
    const callOf = unit.groups.byId;
    for (const { node } of unit.groups.having('kind')) {
      if (node.kind === 'parallel')
        look(
          blocksOf(node).map(({ nodes }) => nodes),
          callOf,
          unit,
        );
      else if (node.kind === 'for_each' && node.branches) lookAtRounds(node, callOf, unit);
    }
    const { body, order } = unit.unit;
    if (order.kind === 'graph' && body.length <= MOST) lookAtGraph(body, callOf, unit);
    // Steps of a large graph of which it is seen at once that nothing orders them: those of one rank.
    else if (order.kind === 'graph')
      for (const nodes of ranks(body))
        look(
          nodes.map((node) => [node]),
          callOf,
          unit,
        );
  },
} satisfies Rule;

function look(
  branches: readonly (readonly Node[])[],
  callOf: CallGroups['byId'],
  { report }: Pick<ResolvedUnit, 'report'>,
): void {
  const writers = new Map<string, Writer>();
  for (const [branch, nodes] of branches.entries()) {
    for (const { id } of everyNode(nodes)) {
      const call = callOf(id);
      for (const { name, path } of call ? targetsOf(call) : []) {
        const before = writers.get(path);
        if (call && before && before.branch !== branch)
          report(
            d.noParallelWrite({
              at: call.argumentAt(name),
              path,
              related: [{ ...before.call.commandAt(), text: 'written here too' }],
            }),
          );
        else if (call) writers.set(path, { branch, call });
      }
    }
  }
}

/** Steps of a graph that write one file are ordered, over others too. */
function lookAtGraph(
  body: readonly Node[],
  callOf: CallGroups['byId'],
  { report }: Pick<ResolvedUnit, 'report'>,
): void {
  const steps = new Map(body.map((node) => [node.id, node]));
  for (const [path, writers] of writersOf(body, callOf)) {
    if (writers.length < 2) continue;
    const before = writers.map(({ node }) => stepsBefore(node, steps));
    for (const [index, { node, call, name }] of writers.entries()) {
      const other = writers
        .slice(0, index)
        .findLast((each, at) => each.node !== node && !before[index]?.has(each.node.id) && !before[at]?.has(node.id));
      if (other === undefined) continue;
      const related = [{ ...other.call.commandAt(), text: 'written here too' }];
      report(d.noParallelWrite({ at: call.argumentAt(name), path, related }));
    }
  }
}

interface GraphWriter {
  /** The step of the graph: the one that writes, or one that holds it. */
  readonly node: Node;
  readonly call: ResolvedCall;
  readonly name: string;
}

function writersOf(body: readonly Node[], callOf: CallGroups['byId']): ReadonlyMap<string, readonly GraphWriter[]> {
  const writers = new Map<string, GraphWriter[]>();
  for (const node of body)
    for (const { id } of everyNode([node])) {
      const call = callOf(id);
      for (const { name, path } of call ? targetsOf(call) : []) {
        if (call === undefined) continue;
        const known = writers.get(path);
        if (known === undefined) writers.set(path, [{ node, call, name }]);
        else known.push({ node, call, name });
      }
    }
  return writers;
}

/** Ids of all steps that a step waits for. */
function stepsBefore({ after = [] }: Node, steps: ReadonlyMap<string, Node>): ReadonlySet<string> {
  const before = new Set(after);
  for (const id of before) for (const earlier of steps.get(id)?.after ?? []) before.add(earlier);
  return before;
}

/** Rounds that run at once write where none of them is named. */
function lookAtRounds(loop: Node, callOf: CallGroups['byId'], { report }: Pick<ResolvedUnit, 'report'>): void {
  for (const { id } of everyNode(blocksOf(loop).flatMap(({ nodes }) => nodes))) {
    const call = callOf(id);
    for (const { name, path } of call ? targetsOf(call) : [])
      if (call) report(d.noParallelWrite({ at: call.argumentAt(name), path, related: [] }));
  }
}

function* targetsOf(call: ResolvedCall): Generator<{ readonly name: string; readonly path: string }> {
  for (const { parameter, text } of written(call)) {
    if (!parameter.access?.includes('write') || text === undefined || text.includes(REFERENCE)) continue;
    // Folders are made by many, and added to by many.
    if (!/dir|folder/.test(parameter.name)) yield { name: parameter.name, path: text.replace(/^(?:\.\/)+/, '') };
  }
}

/** Steps by the length of the longest way to them: none of one rank waits for another of it. */
function ranks(body: readonly Node[]): Iterable<readonly Node[]> {
  const rank = new Map<string, number>();
  for (const node of body) rank.set(node.id, Math.max(0, ...(node.after ?? []).map((id) => (rank.get(id) ?? 0) + 1)));
  return Map.groupBy(body, ({ id }) => rank.get(id) ?? 0).values();
}
