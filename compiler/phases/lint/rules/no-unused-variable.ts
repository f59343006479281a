import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import { namesRead } from '../names-read.ts';
import { itemAt, type ResolvedCall, type Rule } from '../rule.ts';

const prefix = 'variable:';
/** Set by every request, used or not. */
const reserved = 'last_response';

/** A captured variable is used. Only under `strict`: a file that depends on this one may read it. */
export default {
  name: 'no-unused-variable',
  preset: 'strict',
  resolved(file) {
    const { groups, report } = file;
    const read = namesRead(file);
    // The value of a variable `a.b` is read by `a` too.
    const isRead = (name: string): boolean =>
      read.has(name) || [...name.matchAll(/[.[]/g)].some(({ index }) => read.has(name.slice(0, index)));
    for (const call of groups.having('provides')) {
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
