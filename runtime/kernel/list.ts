import type { Failure } from '#schemas/types/failure.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { Node, OnFailure } from '#schemas/types/plan.ts';

import type { Frame, ListEnd, StepEnd } from './contract.ts';
import * as because from './reasons.ts';
import { runStep, skipStep } from './steps/step.ts';

/** Longest time (ms) that steps run without a pause in which signals and timers are heard. */
const PAUSE_AFTER_MS = 50;
/** Number of steps between two looks at the clock. */
const ASK_AFTER = 16;

/** Says when steps that take no time have run for so long that a pause is due. */
export class Pace {
  readonly #clock: Clock;
  #begin: number;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#begin = clock.monotonic();
  }

  isDue(): boolean {
    this.#count += 1;
    return this.#count % ASK_AFTER === 0 && this.#clock.monotonic() - this.#begin > PAUSE_AFTER_MS;
  }

  paused(): void {
    this.#begin = this.#clock.monotonic();
  }
}

export interface ListOptions {
  /** Rule for a failing step without an option of its own. */
  readonly onFailure: OnFailure;
  /** Every step runs whatever failed before it: a teardown. */
  readonly always?: boolean;
  readonly chosen?: (node: Node) => boolean;
  /** Id of the step at which it begins. */
  readonly resumedAt?: string;
  /** Shared by lists that run one after the other, however short each is. */
  readonly pace?: Pace;
  /** Collects the outcome of each step; else none of them is held. */
  readonly collect?: boolean;
}

/** Runs steps one after the other; what does not run gets a record with the reason. */
export async function runList(nodes: readonly Node[], frame: Frame, options: ListOptions): Promise<ListEnd> {
  const { clock } = frame.world;
  const steps: (StepEnd | undefined)[] = [];
  const after =
    !import.meta.withoutVariables && nodes.some((node) => node.after) ? new Map<string, StepEnd>() : undefined;
  let failed = 0;
  let failure: Failure | undefined;
  let stoppedBy: string | undefined;
  const pace = options.pace ?? new Pace(clock);
  let resumedAt = import.meta.withoutSelection ? undefined : options.resumedAt;
  for (const node of nodes) {
    if (!import.meta.withoutSelection && options.chosen && !options.chosen(node)) {
      if (options.collect) steps.push(undefined);
      continue;
    }
    if (!import.meta.withoutSelection && resumedAt !== undefined) {
      if (node.id === resumedAt) resumedAt = undefined;
      else {
        const end = skipStep(node, frame, because.resumed(resumedAt), true);
        if (options.collect) steps.push(end);
        continue;
      }
    }
    const reason = whyNot(node, frame, options, stoppedBy, after);
    const running = reason === undefined ? runStep(node, frame) : skipStep(node, frame, reason);
    let end: StepEnd;
    if (running instanceof Promise) {
      end = await running;
      pace.paused();
    } else {
      end = running;
      if (pace.isDue()) {
        await clock.sleep(0);
        pace.paused();
      }
    }
    if (!import.meta.withoutLists && options.collect) steps.push(end);
    if (!import.meta.withoutVariables) after?.set(node.id, end);
    if (end.status === 'failed') {
      failed++;
      failure ??= end.failure;
      if (!options.always && (node.on_failure ?? options.onFailure) === 'stop') stoppedBy ??= node.id;
      // An attempt that is followed by another one has not failed yet.
      if (frame.unit.run.options.failFast && !frame.hold) frame.unit.run.halted = true;
    }
  }
  return { steps, failed, ...(failure && { failure }), ...(stoppedBy !== undefined && { stoppedBy }) };
}

function whyNot(
  node: Node,
  frame: Frame,
  options: ListOptions,
  stoppedBy: string | undefined,
  after: ReadonlyMap<string, StepEnd> | undefined,
): string | undefined {
  if (frame.cancel.cancelled) return whyCancelled(frame);
  if (options.always) return undefined;
  if (stoppedBy !== undefined) return because.failedBefore(stoppedBy);
  if (frame.unit.run.halted) return because.failFast;
  return !import.meta.withoutVariables && after && node.after
    ? dependency(node.after, (id) => after.get(id))
    : undefined;
}

/** Reason why a step that depends on others cannot run; undefined where all have passed. */
export function dependency(ids: readonly string[], stateOf: (id: string) => StepEnd | undefined): string | undefined {
  for (const id of ids) {
    const state = stateOf(id);
    if (state && (state.status === 'failed' || state.status === 'skipped')) return because.dependency(id, state.status);
  }
  return undefined;
}

/** Reason for which a frame was cancelled. */
export function whyCancelled(frame: Frame): string {
  const { stopped } = frame.unit.run;
  if (stopped !== undefined) return because.stopped(stopped);
  const { reason } = frame.cancel;
  return reason instanceof Error ? reason.message : String(reason);
}
