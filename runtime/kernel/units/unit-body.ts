import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Node } from '#schemas/types/plan.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { Cancellation } from '../cancellation.ts';
import type { Frame, ListEnd } from '../contract.ts';
import { defineInputs } from './inputs.ts';
import { runList, whyCancelled } from '../list.ts';
import { loadEnvironment } from './load-environment.ts';
import * as because from '../reasons.ts';
import { notLinked } from '../not-linked.ts';
import { Scope } from '../scope.ts';
import { skipStep } from '../steps/step.ts';
import { stay } from './stay.ts';
import { runTeardown } from '../teardown.ts';
import type { UnitRun } from './unit-run.ts';
import { typeName } from '../values/type-name.ts';

/** Runs setup, body or rows, and teardown, which runs after a bug of ours too. Ports are still open afterwards. */
export async function runUnitSteps(work: UnitRun): Promise<void> {
  const { unit, run } = work;
  const cancel = new Cancellation(run.cancel);
  try {
    await runSetupAndBody(work, cancel);
  } finally {
    cancel.end();
    await runTeardown(
      unit.teardown,
      frameOf(work, 'teardown', cancel, work.last ?? work.scope),
      (failure) => (work.broken ??= failure.message),
    );
  }
}

async function runSetupAndBody(work: UnitRun, cancel: Cancellation): Promise<void> {
  const { unit } = work;
  const setup = frameOf(work, 'setup', cancel, work.scope);
  work.broken = await prepare(work, cancel);
  if (work.broken !== undefined) skipAll(unit.setup, setup, work.broken);
  const ended = work.broken === undefined ? await runList(unit.setup, setup, { onFailure: 'stop' }) : undefined;
  const why = work.broken ?? bodyIsSkipped(ended, setup);
  if (why !== undefined) skipAll(unit.body, { ...setup, part: 'body' }, why);
  else if (!import.meta.withoutRows && unit.rows) work.broken = await runRows(work, cancel);
  else await runBody(work, frameOf(work, 'body', cancel, work.scope));
  if (!import.meta.withoutJobs && why === undefined) await stay(work, cancel);
}

function frameOf(work: UnitRun, part: Frame['part'], cancel: Cancellation, scope: Scope): Frame {
  return {
    unit: work,
    world: work.world,
    scope,
    linked: work.linked,
    part,
    cancel,
    depth: 0,
    dry: work.run.options.dryRun ?? false,
  };
}

async function prepare(work: UnitRun, cancel: Cancellation): Promise<string | undefined> {
  const { locks } = work.unit;
  try {
    if (!import.meta.withoutLocks && locks && !work.run.options.dryRun) await work.lock(locks, cancel.signal);
    if (!import.meta.withoutEnvironment) await loadEnvironment(work);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return import.meta.withoutVariables ? undefined : defineInputs(work.unit, work.scope, work.run)?.message;
}

function bodyIsSkipped(setup: ListEnd | undefined, frame: Frame): string | undefined {
  if (setup?.stoppedBy !== undefined) return because.failedSetup(setup.stoppedBy);
  if (frame.cancel.cancelled) return whyCancelled(frame);
  return frame.unit.run.halted ? because.failFast : undefined;
}

export function skipAll(nodes: readonly Node[], frame: Frame, reason: string): void {
  for (const node of nodes) skipStep(node, frame, reason);
}

async function runBody(work: UnitRun, outer: Frame): Promise<ListEnd> {
  const { unit, run } = work;
  const { clock } = run.host;
  const cancel = new Cancellation(outer.cancel);
  const seconds = unit.timeout_s;
  const endTimer =
    seconds === undefined
      ? undefined
      : clock.timer(seconds * 1000, () => endByTime(work, cancel, fail.unitTimedOut({ seconds })));
  const frame: Frame = { ...outer, cancel };
  const chosen =
    !import.meta.withoutSelection &&
    run.options.chosen &&
    ((node: Node): boolean => run.options.chosen?.(unit, node) ?? true);
  try {
    if (!import.meta.withoutGraphs && unit.order.kind === 'graph') {
      const runGraph = await work.graph();
      return await runGraph(unit.body, frame, {
        failed: unit.order.failed,
        workers: unit.order.max_workers,
        ...(chosen && { chosen }),
      });
    }
    const onFailure = unit.order.kind === 'list' ? unit.order.on_failure : 'stop';
    const resumedAt = import.meta.withoutSelection ? undefined : run.options.resumedAt?.[unit.source];
    return await runList(unit.body, frame, {
      onFailure,
      ...(chosen && { chosen }),
      ...(resumedAt !== undefined && { resumedAt }),
    });
  } finally {
    endTimer?.();
    cancel.end();
  }
}

/** The time may be over between two steps, when none is there to fail. */
function endByTime(work: UnitRun, cancel: Cancellation, failure: Failure): void {
  work.broken ??= failure.message;
  cancel.cancel(failure);
}

/** Once a row, each from the state after setup. Yields why the dataset could not be read. */
async function runRows(work: UnitRun, cancel: Cancellation): Promise<string | undefined> {
  const { unit, run } = work;
  const setup = work.scope;
  let number = 0;
  try {
    await work.rows?.begin();
    for await (const values of readRows(work)) {
      number++;
      if (typeName(values) !== 'an object')
        return fail.rowNotAnObject({ row: number, path: unit.rows?.path ?? '', type: typeName(values) }).message;
      const scope = Scope.join([setup]);
      const frame: Frame = { ...frameOf(work, 'body', cancel, scope), row: { number, values } };
      if (cancel.cancelled || run.halted) {
        skipAll(unit.body, frame, cancel.cancelled ? whyCancelled(frame) : because.failFast);
        continue;
      }
      const lost = number > 1 ? await work.rows?.restore() : undefined;
      if (lost !== undefined) {
        work.broken ??= lost;
        skipAll(unit.body, frame, lost);
        continue;
      }
      if (run.hasReporters) run.emit({ kind: 'unit-started', source: unit.source, row: number });
      await runBody(work, frame);
      work.last = scope;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (number === 0) skipAll(unit.body, frameOf(work, 'body', cancel, setup), message);
    return message;
  }
  return work.broken;
}

async function* readRows({ unit, run, world }: UnitRun): AsyncIterable<JsonObject> {
  const read = await run.program.parts?.rows?.();
  if (!read || !unit.rows) return notLinked('rows');
  const { path } = unit.rows;
  yield* read(unit.rows, /^(?:[\\/]|[A-Za-z]:)/.test(path) ? path : `${world.folders.root}/${path}`, run.host);
}
