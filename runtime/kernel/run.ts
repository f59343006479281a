import type { Failure } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Unit } from '#schemas/types/plan.ts';

import type { Counts, RunOutcome, UnitInfo, UnitOutcome } from './events.ts';
import { checkInputs } from './inputs.ts';
import type { RunOptions } from './options.ts';
import { Pool } from './pool.ts';
import type { Program } from './program.ts';
import { because } from './reasons.ts';
import { recordedError } from './records/recorded-error.ts';
import { RunState } from './run-state.ts';
import { runUnit, skipUnit } from './unit.ts';
import { asksForThePast } from './values/asks-for-the-past.ts';
import type { Scope } from './scope.ts';

/** A run that has begun. */
export interface Run {
  readonly id: string;
  /** Never rejects for what steps do; rejects only for a bug of ours. */
  readonly outcome: Promise<RunOutcome>;
  /** No new steps; what runs is cancelled; teardown and release happen. The outcome tells the reason. */
  stop(reason: string): void;
}

/** Runs a program to its end. */
export function run(program: Program, options: RunOptions, host: Host): Promise<RunOutcome> {
  return start(program, options, host).outcome;
}

/** Begins a run that can be stopped. */
export function start(program: Program, options: RunOptions, host: Host): Run {
  const { units } = program.plan;
  const nodesAtOnce = units.map((unit) => (unit.order.kind === 'graph' ? unit.order.max_workers : 1));
  const state = new RunState(program, options, host, {
    pool: new Pool(Math.max(options.workers ?? 1, ...nodesAtOnce)),
    keepsRecords: units.some((unit) => unit.needs.ports.includes('records')),
    remembers: units.some(asksForThePast),
  });
  return { id: state.id, outcome: runAll(state), stop: (reason) => state.stop(reason) };
}

async function runAll(state: RunState): Promise<RunOutcome> {
  const { options, host } = state;
  const begin = host.clock.monotonic();
  state.emit({ kind: 'run-started', run: state.id, started_at: new Date(state.startedAt).toISOString(), units: state.program.plan.units.map(infoOf), dry_run: options.dryRun ?? false });
  const refused = await checkInputs(state);
  const files = refused.length > 0 ? [] : await runUnits(state);
  await state.removeTemporary().catch(() => undefined);
  state.flush();
  const outcome = outcomeOf(state, files, refused, host.clock.monotonic() - begin);
  state.emit({ kind: 'run-finished', outcome });
  for (const reporter of options.reporters ?? []) await reporter.end?.();
  options.records?.close();
  return outcome;
}

function infoOf(unit: Unit): UnitInfo {
  const steps = unit.setup.length + unit.body.length + unit.teardown.length;
  const onFailure = unit.order.kind === 'list' ? unit.order.on_failure : unit.order.failed;
  return { source: unit.source, ...(unit.name !== undefined && { name: unit.name }), steps, on_failure: onFailure };
}

function outcomeOf(state: RunState, files: readonly UnitOutcome[], refused: readonly Failure[], durationMs: number): RunOutcome {
  const counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
  for (const file of files) for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] += file.counts[key];
  const failed = refused.length > 0 || state.stopped !== undefined || files.some((file) => file.status !== 'passed');
  return {
    run: state.id,
    status: failed ? 'failed' : 'passed',
    counts,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    files,
    ...(state.stopped !== undefined && { stopped: state.stopped }),
    ...(refused.length > 0 && { refused: refused.map((failure) => recordedError(failure, state.masker)) }),
  };
}

interface Finished {
  readonly outcome: UnitOutcome;
  readonly scope?: Scope;
}

/** Units begin when those before them have ended, as many at once as there are workers. */
async function runUnits(state: RunState): Promise<readonly UnitOutcome[]> {
  const { options, program } = state;
  const workers = new Pool(options.workers ?? 1);
  const finished = new Map<string, Promise<Finished>>();
  const outcomes: Promise<UnitOutcome>[] = [];
  for (let repeat = 0; repeat < (options.repeat ?? 1); repeat++) {
    for (const unit of program.plan.units) {
      const before = unit.after.map((source) => finished.get(source));
      const earlier = repeat > 0 ? finished.get(unit.source) : undefined;
      const running = Promise.all([...before, earlier]).then((ends) => runInPlace(state, unit, ends.slice(0, before.length), workers, repeat));
      finished.set(unit.source, running);
      outcomes.push(running.then((end) => end.outcome));
    }
  }
  return Promise.all(outcomes);
}

async function runInPlace(state: RunState, unit: Unit, before: readonly (Finished | undefined)[], workers: Pool, repeat: number): Promise<Finished> {
  while (!workers.tryTake()) await new Promise<void>((resolve) => workers.whenFree(resolve));
  while (!state.pool.tryTake()) await new Promise<void>((resolve) => state.pool.whenFree(resolve));
  try {
    const bad = before.find((end) => end && end.outcome.status !== 'passed');
    const reason = bad ? because.file(bad.outcome.file) : state.stopped !== undefined ? because.stopped(state.stopped) : state.halted ? because.failFast : undefined;
    if (reason !== undefined) return { outcome: skipUnit(state, unit, reason) };
    return await runUnit(state, unit, before.map((end) => end?.scope).filter((scope) => scope !== undefined), repeat);
  } finally {
    state.pool.give();
    workers.give();
  }
}
