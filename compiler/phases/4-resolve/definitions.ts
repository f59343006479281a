import { flowOf, type Profiles } from './flow.ts';
import type { CallList } from './resolved.ts';
import type { Tokens } from './tokens.ts';
import { eachCall } from './walk-calls.ts';

/** Every variable that some step of these lists may define, as far as names are known. */
export function definedNames(lists: readonly CallList[], tokens: Tokens, profiles: Profiles): ReadonlySet<string> {
  const names = new Set<string>();
  eachCall(lists, (call) => {
    for (const name of flowOf(call, tokens, profiles)?.defines ?? []) names.add(name);
  });
  return names;
}
