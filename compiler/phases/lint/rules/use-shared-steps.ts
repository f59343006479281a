import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Node } from '#schemas/types/plan.ts';

import type { ProjectUnit, Rule } from '../rule.ts';
import { actOf, stepLists } from '../step-lists.ts';

/** So many steps, in so many files, are worth a file of their own. */
const STEPS = 5;
const FILES = 3;

interface Run {
  readonly unit: ProjectUnit;
  readonly list: readonly Node[];
  readonly from: number;
}

/** Steps that several files have alike stand in one that they use. */
export default {
  name: 'use-shared-steps',
  preset: 'recommended',
  project(units) {
    const told = new Set<ProjectUnit>();
    for (const runs of runsOf(units).values()) {
      const files = [...new Map(runs.map((run) => [run.unit, run] as const)).values()];
      if (files.length < FILES || files.some(({ unit }) => told.has(unit))) continue;
      const [first, ...others] = files;
      if (first === undefined) continue;
      const count = lengthOf(files);
      for (const { unit } of files) told.add(unit);
      const at = labelOf(first);
      if (at === undefined) continue;
      const related = others.flatMap((run) => {
        const label = labelOf(run);
        return label === undefined ? [] : [{ ...label, text: 'here too' }];
      });
      first.unit.report(d.useSharedSteps({ at, count, files: files.length, related }));
    }
  },
} satisfies Rule;

/** Every place where so many steps stand, by what they do. */
function runsOf(units: readonly ProjectUnit[]): ReadonlyMap<string, readonly Run[]> {
  const runs = new Map<string, Run[]>();
  for (const unit of units) {
    for (const list of stepLists(unit)) {
      const acts = list.length < STEPS ? [] : list.map(placelessAct);
      for (let from = 0; from + STEPS <= acts.length; from += 1) {
        const key = acts.slice(from, from + STEPS).join('\n');
        const known = runs.get(key);
        if (known === undefined) runs.set(key, [{ unit, list, from }]);
        else known.push({ unit, list, from });
      }
    }
  }
  return runs;
}

/** A step's work as text, wherever it stands: ids of other steps, which name the file, are left out. */
function placelessAct(node: Node): string {
  const { after: _after, ...rest } = node;
  return actOf(rest);
}

/** The number of steps from there on that are alike in all of the files. */
function lengthOf(runs: readonly Run[]): number {
  let count = STEPS;
  for (;;) {
    const acts = new Set(
      runs.map(({ list, from }) => {
        const node = list[from + count];
        return node === undefined ? undefined : placelessAct(node);
      }),
    );
    if (acts.size !== 1 || acts.has(undefined)) return count;
    count += 1;
  }
}

function labelOf({ unit, list, from }: Run): Label | undefined {
  return unit.groups.byId(list[from]?.id ?? '')?.commandAt();
}
