import type { Dag } from '#compiler/graph/dag.ts';
import type { Suggestions } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label, Report } from '#schemas/types/diagnostic.ts';

import { optionRoute } from '../3-parse/routes.ts';

import { keyOf, type Call, type CallList } from './resolved.ts';
import { eachList } from './walk-calls.ts';

/** Every id of a file with its step; a second one of the same name has been reported. */
export type StepIds = ReadonlyMap<string, Call>;

export interface Ordering {
  readonly document: Document;
  readonly report: Report;
  readonly suggestions: Suggestions;
}

/** Gathers the ids of lists and of the lists inside; they are unique in a file. */
export function stepIds(lists: readonly CallList[], { document, report }: Omit<Ordering, 'suggestions'>): StepIds {
  const ids = new Map<string, Call>();
  eachList(lists, (list) => {
    for (const call of list.named) {
      const id = call.step.options?.id ?? '';
      const first = ids.get(id);
      if (first === undefined) ids.set(id, call);
      else report(d.duplicateStepId({ at: idLabel(call, document), id, related: [idLabel(first, document)] }));
    }
  });
  return ids;
}

function idLabel(call: Call, document: Document): Label {
  return { source: document.source, route: optionRoute(call.step, document, 'id'), part: 'value' };
}

/**
 * Checks `depends_on` between the steps of one list: it names earlier steps, in a graph any nodes without a cycle.
 * Yields the order of a graph and of steps that run at the same time; undefined for other lists, and where a cycle was
 * reported.
 */
export async function orderSteps(list: CallList, isParallel: boolean, ordering: Ordering): Promise<Dag | undefined> {
  const isGraph = list.list.kind === 'graph';
  if (!isGraph && isParallel) return (await import('#compiler/graph/dag.ts')).unordered(list.calls.map(keyOf));
  if (!isGraph && !list.hasDependencies) return undefined;
  const byId = new Map<string, { readonly call: Call; readonly position: number }>();
  for (const [position, call] of list.calls.entries()) {
    const id = call.step.options?.id;
    if (id !== undefined && !byId.has(id)) byId.set(id, { call, position });
  }
  for (const [position, call] of list.calls.entries()) {
    for (const [index, dependency] of (call.step.options?.depends_on ?? []).entries()) {
      const found = byId.get(dependency);
      const at: Label = {
        source: ordering.document.source,
        route: [...optionRoute(call.step, ordering.document, 'depends_on'), index],
        part: 'value',
      };
      if (found === undefined) unknown(dependency, at, byId, list, ordering);
      else if (!isGraph && found.position >= position)
        ordering.report(
          d.dependsOnLaterStep({ at, id: dependency, related: [idLabel(found.call, ordering.document)] }),
        );
    }
  }
  if (!isGraph) return undefined;
  const { allCycles, orderByDependency } = await import('#compiler/graph/dag.ts');
  const ids = [...byId.keys()];
  const dependencies = (id: string): readonly string[] => byId.get(id)?.call.step.options?.depends_on ?? [];
  const result = orderByDependency(ids, dependencies);
  if (!('cycle' in result)) return result;
  for (const { cycle } of allCycles(result, ids, dependencies)) reportCycle(cycle, byId, ordering);
  return undefined;
}

function unknown(
  dependency: string,
  at: Label,
  ids: ReadonlyMap<string, unknown>,
  list: CallList,
  { report, suggestions }: Ordering,
): void {
  // A step that could not be read may be the one that is meant.
  if (list.incomplete) return;
  const [nearest] = suggestions.nearest(dependency, ids.size, () => ids.keys());
  report(d.unknownDependency({ at, id: dependency, nearest }));
}

function reportCycle(
  cycle: readonly string[],
  byId: ReadonlyMap<string, { readonly call: Call }>,
  { document, report }: Ordering,
): void {
  const labels = cycle.slice(0, -1).flatMap((id, position): Label[] => {
    const step = byId.get(id)?.call.step;
    if (step === undefined) return [];
    const entry = step.options?.depends_on?.indexOf(cycle[position + 1] ?? '') ?? 0;
    const route = [...optionRoute(step, document, 'depends_on'), entry];
    return [{ source: document.source, route, part: 'value' }];
  });
  const [at, ...related] = labels;
  if (at !== undefined) report(d.stepCycle({ at, cycle: cycle.map((id) => `"${id}"`).join(' → '), related }));
}
