import * as d from '#schemas/generated/diagnostics.ts';

import { literalOf } from '#schemas/types/fold-value.ts';
import type { Node } from '#schemas/types/plan.ts';

import type { ResolvedCall, Rule } from '../rule.ts';
import { actOf, stepLists } from '../step-lists.ts';

/** Effects that may be wanted twice: asking a server or a page again, waiting, making something new each time. */
const mayRepeat = new Set(['network', 'browser', 'clock', 'process', 'db']);

/** No step does what the one before it has done. */
export default {
  name: 'no-duplicate-step',
  preset: 'recommended',
  resolved({ unit, groups, report }) {
    for (const list of stepLists({ unit, groups })) {
      // By index, and the command first: a list may be long, and few neighbours call the same.
      for (let index = 1; index < list.length; index += 1) {
        const before = list[index - 1];
        const node = list[index];
        if (before === undefined || node === undefined || before.command !== node.command) continue;
        if (node.kind !== undefined || !mayBeSame(before, node)) continue;
        const call = groups.byId(node.id);
        if (call === undefined || !isSettled(call)) continue;
        const act = actOf(node);
        if (act === actOf(before) && !/"ns":"(?:uuid|date)"/.test(act))
          report(d.noDuplicateStep({ at: call.commandAt() }));
      }
    }
  },
} satisfies Rule;

function isSettled({ info }: ResolvedCall): boolean {
  return info.repeat !== 'once' && !info.effects.some((effect) => mayRepeat.has(effect));
}

/** Whether nothing that is seen at once tells two steps apart: most differ in a text. */
function mayBeSame(one: Node, other: Node): boolean {
  for (const name in one.args) {
    const [left, right] = [literalOf(one.args[name]), literalOf(other.args[name])];
    if (typeof left === 'string' && left !== right) return false;
  }
  return true;
}
