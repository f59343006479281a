import * as d from '#schemas/generated/diagnostics.ts';

import { itemAt, type Rule } from '../rule.ts';
import { stepLists } from '../step-lists.ts';

/** An edge of a list says what its order does not. */
export default {
  name: 'no-needless-dependency',
  preset: 'strict',
  resolved({ unit, groups, report }) {
    if (unit.order.kind !== 'list' || unit.order.on_failure !== 'stop') return;
    for (const list of stepLists({ unit, groups })) {
      const certain = new Set<string>();
      for (const node of list) {
        const call = groups.byId(node.id);
        for (const [index, before] of (node.after ?? []).entries())
          if (call && certain.has(before))
            report(
              d.noNeedlessDependency({
                at: itemAt(call, 'depends_on', index),
                step: before.slice(before.indexOf('#') + 1),
              }),
            );
        if (node.when === undefined && node.on_failure !== 'continue' && node.after === undefined) certain.add(node.id);
      }
    }
  },
} satisfies Rule;
