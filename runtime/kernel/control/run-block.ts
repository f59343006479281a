import * as fail from '#schemas/generated/failures.ts';
import type { Node } from '#schemas/types/plan.ts';

import type { AttemptView, Frame, ListEnd } from '../contract.ts';
import { runList } from '../list.ts';
import { runAlways } from '../teardown.ts';

/** Blocks inside blocks and lists. */
const DEEPEST = 64;

/** The surroundings of the blocks of a form. */
export function blockFrame({ node, frame, cancel, hold }: AttemptView): Frame {
  if (frame.depth >= DEEPEST) throw fail.nestingTooDeep({ limit: DEEPEST });
  return { ...frame, cancel, parent: node.id, depth: frame.depth + 1, ...(hold && { hold }) };
}

/**
 * Runs a block to its end: a step that fails ends it only where its own `on_failure` says so. The failures are left
 * with the attempt.
 */
export async function runBlock(nodes: readonly Node[], frame: Frame, attempt: AttemptView): Promise<ListEnd> {
  const end = await runList(nodes, frame, { onFailure: 'continue' });
  noteFailures(end, attempt);
  return end;
}

/** Runs a block that runs on every path. */
export async function runAlwaysBlock(nodes: readonly Node[], frame: Frame, attempt: AttemptView): Promise<void> {
  const end = await runAlways(nodes, frame, (failure) => noteFailures({ failed: 1, failure }, attempt));
  noteFailures(end, attempt);
}

export function noteFailures({ failed, failure }: Pick<ListEnd, 'failed' | 'failure'>, attempt: AttemptView): void {
  attempt.nestedFailed += failed;
  attempt.firstNested ??= failure;
}
