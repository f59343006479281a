import * as d from '#schemas/generated/diagnostics.ts';

import { referencesOf } from '../references.ts';
import type { ResolvedCall, Rule } from '../rule.ts';
import { stepLists } from '../step-lists.ts';

/** A variable is read before another step defines it anew. */
export default {
  name: 'no-overwritten-variable',
  preset: 'strict',
  resolved({ unit, groups, report }) {
    for (const list of stepLists({ unit, groups })) {
      const unread = new Map<string, { readonly name: string; readonly call: ResolvedCall }>();
      for (const node of list) {
        const call = groups.byId(node.id);
        // The reads of a block, or of a command of variables, are not looked for: it may read all.
        if (
          call === undefined ||
          node.kind !== undefined ||
          call.info.params.some(({ list: holds }) => holds) ||
          reads(call)
        ) {
          unread.clear();
          if (call === undefined || node.kind !== undefined) continue;
        }
        for (const { ns, name } of referencesOf(node)) if (ns === 'var') unread.delete(topOf(name));
        for (const name of node.when ? [] : madeBy(call)) {
          const before = unread.get(topOf(name));
          if (before?.name === name)
            report(
              d.noOverwrittenVariable({
                at: call.commandAt(),
                name,
                related: [{ ...before.call.commandAt(), text: 'set here' }],
              }),
            );
          unread.set(topOf(name), { name, call });
        }
      }
    }
  },
} satisfies Rule;

/** Variables may have names with dots and brackets: those of one top are taken for one. */
function topOf(name: string): string {
  return name.split(/[.[]/, 1)[0] ?? name;
}

function reads({ info }: ResolvedCall): boolean {
  return info.family === 'variables' && info.variables?.defines === undefined;
}

function madeBy({ node }: ResolvedCall): readonly string[] {
  return (node.provides ?? []).flatMap((made) =>
    made.startsWith('variable:') && made !== 'variable:last_response' ? [made.slice('variable:'.length)] : [],
  );
}
