import type { Unit } from '#schemas/types/plan.ts';

import { Cancellation } from '../cancellation.ts';
import type { Counts, UnitOutcome } from '../events.ts';
import * as because from '../reasons.ts';
import type { RunState } from '../run-state.ts';
import type { Scope } from '../scope.ts';
import { runUnitSteps, skipAll } from './unit-body.ts';
import { UnitRun } from './unit-run.ts';

/** Runs one action file in a context of its own; on every path its resources are let go. */
export async function runUnit(
  run: RunState,
  unit: Unit,
  before: readonly Scope[],
  repeat: number,
): Promise<{ outcome: UnitOutcome; scope: Scope }> {
  const work = new UnitRun(run, unit, repeat);
  const { clock } = run.host;
  const begin = clock.monotonic();
  run.emit({ kind: 'unit-started', source: unit.source, ...((run.options.repeat ?? 1) > 1 && { repeat }) });
  if (!import.meta.withoutVariables) for (const scope of before) inherit(work.scope, scope);
  let stoppedBefore: string | undefined;
  try {
    await runUnitSteps(work);
  } finally {
    stoppedBefore = run.stopped;
    await work.release();
  }
  // A stop between two steps leaves none that failed, but the file did not come to its end; nor did one that let go when
  // an error came that a step had left alone.
  const { stopped } = run;
  const isCut = stopped !== stoppedBefore || work.counts.skipped > 0;
  const broken = work.broken ?? (stopped !== undefined && isCut ? because.stopped(stopped) : undefined);
  const status = broken || work.counts.failed > 0 ? 'failed' : 'passed';
  const outcome: UnitOutcome = {
    file: unit.source,
    status,
    ...(broken && { reason: run.masker.text(broken) }),
    counts: work.counts,
    duration_ms: Math.round((clock.monotonic() - begin) * 1000) / 1000,
  };
  tell(run, outcome);
  return { outcome, scope: work.last ?? work.scope };
}

/** Only values cross from one unit to the next, not sessions or elements. */
function inherit(scope: Scope, from: Scope): void {
  for (const name of from.names()) {
    const entry = from.find(name);
    if (entry && name !== 'last_response') scope.define(name, entry.value, { secret: entry.secret, text: entry.text });
  }
}

/** Writes records for the steps of a unit that does not run. */
export function skipUnit(run: RunState, unit: Unit, reason: string): UnitOutcome {
  const work = new UnitRun(run, unit);
  const frame = {
    unit: work,
    world: work.world,
    scope: work.scope,
    linked: work.linked,
    cancel: new Cancellation(),
    depth: 0,
    dry: false,
  };
  for (const part of ['setup', 'body', 'teardown'] as const) skipAll(unit[part], { ...frame, part }, reason);
  const outcome: UnitOutcome = { file: unit.source, status: 'skipped', reason, counts: work.counts, duration_ms: 0 };
  tell(run, outcome);
  return outcome;
}

/** The end of a unit that was cut off where it ran: it has failed, and steps without a record get one that says so. */
export function endUnit(
  run: RunState,
  unit: Unit,
  done: { readonly recorded: ReadonlySet<string>; readonly counts: Counts },
  reason: string,
): { outcome: UnitOutcome; scope: Scope } {
  const work = new UnitRun(run, unit);
  Object.assign(work.counts, done.counts);
  const frame = {
    unit: work,
    world: work.world,
    scope: work.scope,
    linked: work.linked,
    cancel: new Cancellation(),
    depth: 0,
    dry: false,
  };
  for (const part of ['setup', 'body', 'teardown'] as const)
    skipAll(
      unit[part].filter(({ id }) => !done.recorded.has(id)),
      { ...frame, part },
      reason,
    );
  const outcome: UnitOutcome = { file: unit.source, status: 'failed', reason, counts: work.counts, duration_ms: 0 };
  tell(run, outcome);
  return { outcome, scope: work.scope };
}

function tell(run: RunState, { file, ...rest }: UnitOutcome): void {
  run.emit({ kind: 'unit-finished', source: file, ...rest });
}
