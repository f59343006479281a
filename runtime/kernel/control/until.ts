import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { UntilNode } from '#schemas/types/plan.ts';
import { blockOf } from '#schemas/types/walk-nodes.ts';

import { asFailure } from '../as-failure.ts';
import { Cancellation } from '../cancellation.ts';
import type { AttemptView, Frame } from '../contract.ts';
import { runList } from '../list.ts';
import { Filling } from '../values/surroundings.ts';
import { AttemptHold } from './attempt-hold.ts';
import { numberOf, type Header } from './header.ts';
import { blockFrame } from './run-block.ts';

const MAX_S = 30;
const INTERVAL_S = 1;

/** Repeats the block until the condition holds, and yields how often it ran. A step that fails counts as not yet. */
export async function runUntil(
  node: UntilNode,
  header: Header,
  attempt: AttemptView,
): Promise<{ readonly attempts: number }> {
  const seconds = numberOf(node.kind, header, 'max_s', { above: 0 }) ?? MAX_S;
  const interval = numberOf(node.kind, header, 'interval_s', { least: 0 }) ?? INTERVAL_S;
  const most = numberOf(node.kind, header, 'max_attempts', { least: 1, isWhole: true }) ?? Infinity;
  const outer = blockFrame(attempt);
  const { clock } = outer.world;
  const over = fail.attemptsTimedOut({ seconds });
  const cancel = new Cancellation(outer.cancel);
  const deadline = clock.monotonic() + seconds * 1000;
  const endTimer = clock.timer(seconds * 1000, () => cancel.cancel(over));
  let before: Failure | undefined;
  try {
    for (let attempts = 1; ; attempts++) {
      const hold = new AttemptHold(outer.hold);
      const frame = { ...outer, cancel, hold };
      const last = await judge(node, frame, before);
      // A condition that holds does so also at the last moment.
      const isOver = last !== undefined && (attempts >= most || clock.monotonic() + interval * 1000 >= deadline);
      if (last === undefined || isOver || outer.cancel.cancelled) {
        hold.release(false);
        if (last === undefined || outer.cancel.cancelled) return { attempts };
        throw notReached(node, attempts >= most ? `${attempts} attempts` : `${seconds} s`, last);
      }
      await clock.sleep(interval * 1000, outer.cancel.signal).catch(() => undefined);
      hold.release(!outer.cancel.cancelled);
      before = last;
      outer.unit.run.flush();
      if (outer.cancel.cancelled) return { attempts };
    }
  } finally {
    endTimer();
    cancel.end();
  }
}

/**
 * One run of the block: why the condition does not hold yet; undefined where it does. `before`: why it did not the last
 * time.
 */
async function judge(node: UntilNode, frame: Frame, before: Failure | undefined): Promise<Failure | undefined> {
  const { failed, failure } = await runList(blockOf(node, 'do'), frame, { onFailure: 'continue' });
  if (failed > 0) return failure;
  // Its steps did not all run: what they would have made is not there to be judged.
  if (frame.cancel.cancelled) return before ?? asFailure(frame.cancel.reason, node.kind);
  const { run } = frame.unit;
  try {
    run.values.expect([node.condition], frame, new Filling(), run.host);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function notReached({ condition }: UntilNode, limit: string, cause: Failure): Failure {
  const { expected, actual } = cause.options;
  const { facts, options } = fail.untilNotReached({
    condition: condition.source,
    limit,
    cause,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  });
  return new Failure(facts, { ...options, condition: true });
}
