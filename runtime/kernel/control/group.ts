import type { GroupNode } from '#schemas/types/plan.ts';
import { blockOf } from '#schemas/types/walk-nodes.ts';

import type { AttemptView } from '../contract.ts';
import { blockFrame, runAlwaysBlock, runBlock } from './run-block.ts';

/** Runs the steps, and on every path those of `always`. */
export async function runGroup(node: GroupNode, attempt: AttemptView): Promise<null> {
  const frame = blockFrame(attempt);
  try {
    await runBlock(blockOf(node, 'group'), frame, attempt);
  } finally {
    await runAlwaysBlock(blockOf(node, 'always'), frame, attempt);
  }
  return null;
}
