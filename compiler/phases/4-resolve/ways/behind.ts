import type { Knowledge, ListFacts } from '../knowledge.ts';
import type { Call } from '../resolved.ts';

/** Facts for a step of a list, and for the steps inside it: it runs only where those that it depends on have passed. */
export function behind({ step }: Call, ofList: ListFacts, { ids }: Knowledge): ListFacts {
  const names = step.options?.depends_on;
  return names === undefined ? ofList : waitingFor(names, ofList, ids);
}

// Apart from `behind`: what a closure needs is made anew at each call of the function that holds it.
function waitingFor(names: readonly string[], ofList: ListFacts, ids: Knowledge['ids']): ListFacts {
  return { ...ofList, waitsFor: (other) => ofList.waitsFor?.(other) === true || isAmong(names, other, ids) };
}

/** Whether a step is one of those ids, or one that they depend on. */
function isAmong(names: readonly string[], other: Call, ids: Knowledge['ids']): boolean {
  const seen = new Set(names);
  for (const name of seen) {
    const call = ids.get(name);
    if (call === other) return true;
    for (const before of call?.step.options?.depends_on ?? []) seen.add(before);
  }
  return false;
}
