import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Node } from '#schemas/types/plan.ts';

import { Cancellation } from './cancellation.ts';
import type { Frame, ListEnd } from './contract.ts';
import { runList } from './list.ts';

/** A teardown has time of its own, so that a run that was stopped ends. */
const TEARDOWN_S = 60;

/** Runs every step of a teardown, whatever failed before it. `onOver` hears that its time was over. */
export function runTeardown(
  nodes: readonly Node[],
  frame: Frame,
  onOver: (failure: Failure) => void,
): Promise<ListEnd> {
  return runAlways(nodes, { ...frame, part: 'teardown' }, onOver);
}

/** Runs every step of a list that runs on every path, as a teardown does. */
export async function runAlways(
  nodes: readonly Node[],
  frame: Frame,
  onOver: (failure: Failure) => void,
): Promise<ListEnd> {
  if (nodes.length === 0) return { steps: [], failed: 0 };
  // Neither a stop nor a time limit of the run reaches it.
  const cancel = new Cancellation();
  const endTimer = frame.world.clock.timer(TEARDOWN_S * 1000, () => {
    const failure = fail.teardownTimedOut({ seconds: TEARDOWN_S });
    onOver(failure);
    cancel.cancel(failure);
  });
  try {
    return await runList(
      nodes,
      { ...frame, cancel },
      { onFailure: 'continue', always: true, collect: frame.depth > 0 },
    );
  } finally {
    endTimer();
  }
}
