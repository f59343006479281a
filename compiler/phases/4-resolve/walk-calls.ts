import type { Call, CallList } from './resolved.ts';

const none: ReadonlyMap<string, CallList> = new Map();

/** The lists of steps that a call holds, by parameter. All who go on into the steps of a step do it here. */
export function listsOf({ blocks }: Call): ReadonlyMap<string, CallList> {
  return blocks ?? none;
}

/** Visits every list, those inside others after them. */
export function eachList(lists: Iterable<CallList>, visit: (list: CallList) => void): void {
  for (const list of lists) {
    visit(list);
    for (const call of list.holders) eachList(listsOf(call).values(), visit);
  }
}

/** Visits every call with the list in which it stands, those inside a call after it and before the next. */
export function eachCall(lists: Iterable<CallList>, visit: (call: Call, list: CallList) => void): void {
  for (const list of lists) {
    const { calls } = list;
    // By index: a loop over a long list runs for the most part before it is optimised.
    for (let index = 0; index < calls.length; index += 1) {
      const call = calls[index];
      if (call === undefined) continue;
      visit(call, list);
      if (call.blocks !== undefined) eachCall(call.blocks.values(), visit);
    }
  }
}
