import * as d from '#schemas/generated/diagnostics.ts';
import type { Condition, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';

import { negated, operandsOf } from '../alternatives.ts';
import type { Rule } from '../rule.ts';

/** A step that reacts to a failure still runs after one. */
export default {
  name: 'no-late-reaction',
  preset: 'recommended',
  hint: /run\.(?:status|failed)/,
  resolved({ unit, groups, report }) {
    if (!endsAtFailure(unit)) return;
    for (const node of unit.body) {
      const asked = askedForFailure(node);
      const call = groups.byId(node.id);
      if (asked && call)
        report(
          d.noLateReaction({
            at: asked === node.when ? call.optionAt('when') : call.argumentAt('if'),
            condition: asked.source,
          }),
        );
      // From here on something may have failed, and the body goes on.
      if (mayFailQuietly(node)) return;
    }
  },
} satisfies Rule;

/** Whether the body skips its rest after a failure, and nothing has failed when it begins. */
function endsAtFailure({ order, rows, inputs, sessions }: Unit): boolean {
  const isOfItself = rows === undefined && inputs.length === 0 && sessions === undefined;
  return order.kind === 'list' && order.on_failure === 'stop' && isOfItself;
}

/** The condition of a step that holds only after a failure. */
function askedForFailure(node: Node): Condition | undefined {
  const conditions = [node.when, node.kind === 'if' ? node.condition : undefined];
  return conditions.find((condition) => condition && asksForFailure(condition.tree));
}

/** Lists inside a step go on after a failure, and what failed there is seen when a retry passes. */
function mayFailQuietly({ kind, on_failure, retry }: Node): boolean {
  return on_failure === 'continue' || kind !== undefined || retry !== undefined;
}

/** Whether a condition holds only after a failure. */
function asksForFailure(tree: ConditionTree): boolean {
  if (tree.kind === 'not') {
    const meant = negated(tree.operand);
    return meant !== undefined && meant.kind !== 'not' && asksForFailure(meant);
  }
  if (tree.kind === 'and') return operandsOf(tree, 'and').some(asksForFailure);
  if (tree.kind === 'or') return operandsOf(tree, 'or').every(asksForFailure);
  if (tree.kind === 'call') return tree.name === 'exists' && isOfRun(tree.args[0], 'failed', 0);
  if (tree.kind !== 'compare' || tree.right.kind !== 'literal') return false;
  const { left, operator, right } = tree;
  if (isOfRun(left, 'status')) return operator === '==' ? right.value === 'failed' : right.value === 'passed';
  const isCount = left.kind === 'call' && left.name === 'len' && isOfRun(left.args[0], 'failed');
  return isCount && ((operator === '>' && right.value === 0) || (operator === '>=' && right.value === 1));
}

function isOfRun(tree: ConditionTree | undefined, ...[field, index]: readonly (string | number)[]): boolean {
  if (tree?.kind !== 'reference' || tree.ref.ns !== 'var' || tree.ref.name !== 'run') return false;
  const { path = [], default: fallback } = tree.ref;
  return fallback === undefined && path[0] === field && path[1] === index;
}
