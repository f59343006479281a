import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import { eachReference } from '#schemas/types/fold-value.ts';

import { referencesOf } from '../references.ts';
import { itemAt, type ResolvedCall, type ResolvedUnit, type Rule } from '../rule.ts';
import { textsOf } from '../texts.ts';

const prefix = 'variable:';
/** Set by every request, used or not. */
const reserved = 'last_response';

/** What is captured is used. Only under `strict`: a file that depends on this one may read it. */
export default {
  name: 'no-unused-variable',
  preset: 'strict',
  resolved({ unit, calls, report }) {
    const read = readNames(unit, calls);
    const isRead = (name: string): boolean =>
      read.some((used) => name === used || name.startsWith(`${used}.`) || name.startsWith(`${used}[`));
    for (const call of calls) {
      for (const name of definedBy(call)) {
        if (isRead(name)) continue;
        report(d.noUnusedVariable({ at: placeOf(name, call), name }));
      }
    }
  },
} satisfies Rule;

function placeOf(name: string, call: ResolvedCall): Label {
  const index = call.node.save_as?.findIndex((capture) => capture.name === name) ?? -1;
  return index < 0 ? call.commandAt() : itemAt(call, 'save_as', index);
}

function definedBy({ node }: ResolvedCall): readonly string[] {
  return (node.provides ?? [])
    .filter((made) => made.startsWith(prefix))
    .map((made) => made.slice(prefix.length))
    .filter((name) => name !== reserved);
}

function readNames({ base_url }: ResolvedUnit['unit'], calls: readonly ResolvedCall[]): readonly string[] {
  const names = new Set<string>();
  for (const call of calls) {
    for (const { ns, name } of referencesOf(call.node)) if (ns === 'var') names.add(name);
    for (const name of readByName(call)) names.add(name);
  }
  if (base_url) eachReference(base_url, ({ name }) => names.add(name));
  return [...names];
}

/** `AT_get_variable` names what it reads; texts that are filled later hold references of their own. */
function* readByName({ info, node }: ResolvedCall): Generator<string> {
  if (info.family !== 'variables') return;
  const makes = info.variables?.defines !== undefined;
  for (const [parameter, value] of Object.entries(node.args)) {
    for (const { text } of textsOf(value)) {
      if (!makes && parameter === 'name') yield text;
      for (const [, name = ''] of text.matchAll(/\{\{\s*([\p{L}_][\w-]*)/gu)) yield name;
    }
  }
}
