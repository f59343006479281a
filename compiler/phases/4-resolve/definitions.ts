import { flowOf, type Profiles } from './flow.ts';
import type { Call, CallList } from './resolved.ts';
import type { Tokens } from './tokens.ts';

/** Every variable that some step of these lists may define, as far as names are known. */
export function definedNames(lists: readonly CallList[], tokens: Tokens, profiles: Profiles): ReadonlySet<string> {
  const names = new Set<string>();
  eachCall(lists, (call) => {
    for (const name of flowOf(call, tokens, profiles)?.defines ?? []) names.add(name);
  });
  return names;
}

/** Visits every call, those inside others after their parent. */
export function eachCall(lists: Iterable<CallList>, visit: (call: Call) => void): void {
  for (const list of lists) {
    for (const call of list.calls) {
      visit(call);
      if (call.blocks !== undefined) eachCall(call.blocks.values(), visit);
    }
  }
}
