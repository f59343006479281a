import type { IfNode } from '#schemas/types/plan.ts';
import { blockOf } from '#schemas/types/walk-nodes.ts';

import type { AttemptView } from '../contract.ts';
import { Filling } from '../values/surroundings.ts';
import { blockFrame, runBlock } from './run-block.ts';

/** Runs the branch that the condition chooses, and yields its name; null where there is none. */
export async function runIf(node: IfNode, attempt: AttemptView): Promise<'then' | 'else' | null> {
  const { run } = attempt.frame.unit;
  const holds = run.values.wanted(node.condition, attempt.frame, new Filling(), run.host, 'condition');
  const branch = holds === false ? 'else' : 'then';
  const nodes = blockOf(node, branch);
  if (nodes.length === 0) return null;
  await runBlock(nodes, blockFrame(attempt), attempt);
  return branch;
}
