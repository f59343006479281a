import * as d from '#schemas/generated/diagnostics.ts';
import type { Node } from '#schemas/types/plan.ts';

import { loopFixes } from '../as-loop.ts';
import type { Rule } from '../rule.ts';
import { stepLists } from '../step-lists.ts';

/** Fewer are as short as the loop. */
const LEAST = 4;

/** Steps that differ in one parameter alone are a loop. */
export default {
  name: 'use-for-each',
  preset: 'strict',
  resolved(unit) {
    for (const list of stepLists(unit)) {
      for (let from = 0; from < list.length;) {
        const { count, parameter } = runFrom(list, from);
        if (count >= LEAST && parameter !== undefined) {
          const calls = list.slice(from, from + count).flatMap(({ id }) => unit.groups.byId(id) ?? []);
          const fixes = loopFixes({ list, calls, parameter }, unit);
          const at = calls[0]?.commandAt();
          if (at !== undefined) unit.report(d.useForEach({ at, count, parameter, fixes }));
        }
        from += Math.max(1, count);
      }
    }
  },
} satisfies Rule;

/** Number of steps, from one on, of which each differs from the one before in the same parameter alone. */
function runFrom(list: readonly Node[], from: number): { readonly count: number; readonly parameter?: string } {
  let parameter: string | undefined;
  let count = 1;
  for (; from + count < list.length; count += 1) {
    const differing = difference(list[from + count - 1], list[from + count]);
    if (differing === undefined || (parameter !== undefined && differing !== parameter)) break;
    parameter = differing;
  }
  return { count, ...(parameter !== undefined && { parameter }) };
}

function difference(one: Node | undefined, other: Node | undefined): string | undefined {
  if (!one || !other || one.command !== other.command || one.kind !== undefined) return undefined;
  const { id: _one, args, ...rest } = one;
  const { id: _other, args: others, ...otherRest } = other;
  const names = Object.keys(args);
  if (names.length !== Object.keys(others).length || JSON.stringify(rest) !== JSON.stringify(otherRest))
    return undefined;
  const differing = names.filter((name) => JSON.stringify(args[name]) !== JSON.stringify(others[name]));
  return differing.length === 1 ? differing[0] : undefined;
}
