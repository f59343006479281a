import { eachReference } from '#schemas/types/fold-value.ts';

import { referencesOf } from './references.ts';
import type { ResolvedCall, ResolvedUnit } from './rule.ts';
import { textsOf } from './texts.ts';

/** The first names of variables that something in a file reads, also in texts that are filled later, and by name. */
export function namesRead({
  unit: { base_url },
  calls,
  returns,
}: Pick<ResolvedUnit, 'unit' | 'calls' | 'returns'>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const call of calls) {
    for (const { ns, name } of referencesOf(call.node)) if (ns === 'var') names.add(name);
    for (const name of readByName(call)) names.add(name);
  }
  if (base_url) eachReference(base_url, ({ name }) => names.add(name));
  // Values that a file returns are read by its caller.
  for (const name of namesIn(JSON.stringify(returns))) names.add(name);
  return names;
}

/** `AT_get_variable` names what it reads; texts that are filled later hold references of their own. */
function* readByName({ info, node }: ResolvedCall): Generator<string> {
  const makes = info.variables?.defines !== undefined;
  const isOfVariables = info.family === 'variables';
  for (const { name, text: when } of info.params) {
    const value = isOfVariables || when === 'later' ? node.args[name] : undefined;
    if (value === undefined) continue;
    for (const { text } of textsOf(value)) {
      if (isOfVariables && !makes && name === 'name') yield text;
      yield* namesIn(text);
    }
  }
}

/** First names of the references in a text that is filled elsewhere. */
function* namesIn(text: string): Generator<string> {
  for (const [, found = ''] of text.matchAll(/\{\{\s*([\p{L}_][\w-]*)/gu)) yield found;
}
