import type { Failure } from '#schemas/types/failure.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Node } from '#schemas/types/plan.ts';

import type { Frame, ListEnd, StepEnd } from '../contract.ts';
import type { CompiledPart } from '../linked.ts';
import { runList, whyCancelled } from '../list.ts';
import * as because from '../reasons.ts';
import { runTeardown } from '../teardown.ts';
import { defineDefaults } from '../units/inputs.ts';
import { skipStep } from './step.ts';

export interface PartsEnd extends ListEnd {
  /** A failure outside of the steps: an input that nobody gives, a teardown that had no time left. */
  readonly beside?: Failure;
}

/**
 * Runs files one after the other in one list: a failed setup skips the body, a teardown runs on every path once its
 * file has begun, and a file behind a failed one that it depends on is skipped. Ends stand in the order of the steps.
 */
export async function runParts(parts: readonly CompiledPart[], frame: Frame): Promise<PartsEnd> {
  const steps: StepEnd[] = [];
  const broken = new Map<SourceId, 'failed' | 'skipped'>();
  let failed = 0;
  let beside: Failure | undefined;
  for (const part of parts) {
    const skip = whyNot(part, frame, broken);
    const unmet = skip === undefined ? defineDefaults(part, frame.scope, frame.unit.run) : undefined;
    beside ??= unmet;
    const reason = skip ?? unmet?.message;
    const ends =
      reason === undefined
        ? await runPart(part, frame, (failure) => (beside ??= failure))
        : skipped([...part.setup, ...part.body, ...part.teardown], frame, reason);
    for (const one of ends) steps.push(one);
    const failures = ends.filter(({ status }) => status === 'failed').length;
    failed += failures;
    if (skip !== undefined) broken.set(part.source, 'skipped');
    else if (failures > 0 || unmet !== undefined) broken.set(part.source, 'failed');
  }
  return { steps, failed, ...(beside && { beside }) };
}

function whyNot(
  { after }: CompiledPart,
  frame: Frame,
  broken: ReadonlyMap<SourceId, 'failed' | 'skipped'>,
): string | undefined {
  if (frame.cancel.cancelled) return whyCancelled(frame);
  for (const source of after) {
    const status = broken.get(source);
    if (status !== undefined) return because.file(source, status);
  }
  return undefined;
}

async function runPart(
  { setup, body, teardown }: CompiledPart,
  frame: Frame,
  onOver: (failure: Failure) => void,
): Promise<readonly StepEnd[]> {
  const before = await runList(setup, { ...frame, part: 'setup' }, { onFailure: 'stop', collect: true });
  const main =
    before.stoppedBy === undefined
      ? (await runList(body, frame, { onFailure: 'continue', collect: true })).steps
      : skipped(body, frame, because.failedSetup(before.stoppedBy));
  const after = await runTeardown(teardown, frame, onOver);
  return [...before.steps, ...main, ...after.steps].flatMap((end) => end ?? []);
}

function skipped(nodes: readonly Node[], frame: Frame, reason: string): readonly StepEnd[] {
  return nodes.map((node) => skipStep(node, frame, reason));
}
