import type { Failure } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Unit } from '#schemas/types/plan.ts';

import type { Counts, RunOutcome, UnitInfo, UnitOutcome } from './events.ts';
import { checkInputs } from './units/inputs.ts';
import type { RunOptions } from './options.ts';
import { Pool } from './pool.ts';
import type { Settings } from './ports.ts';
import type { Program } from './program.ts';
import { recordedError } from './records/recorded-error.ts';
import { RunState, seedOfAll, type RunUnit } from './run-state.ts';
import { runUnits } from './units/units.ts';

/** A run that has begun. */
export interface Run {
  readonly id: string;
  /**
   * Never rejects for what steps do. When all is over and torn down it rejects for records and reports that could not
   * be written, and for a bug of ours.
   */
  readonly outcome: Promise<RunOutcome>;
  /** No new steps; what runs is cancelled; teardown and release happen. The outcome tells the reason. */
  stop(reason: string): void;
}

/** Runs a program to its end. */
export function run(program: Program, options: RunOptions, host: Host): Promise<RunOutcome> {
  return start(program, options, host).outcome;
}

/** Begins a run that can be stopped. `runUnit` stands in for running units here. */
export function start(program: Program, options: RunOptions, host: Host, runUnit?: RunUnit): Run {
  const { units } = program.plan;
  const nodesAtOnce = units.map((unit) => (unit.order.kind === 'graph' ? unit.order.max_workers : 1));
  const state = new RunState(program, options, host, {
    pool: new Pool(Math.max(options.workers ?? 1, ...nodesAtOnce)),
    keepsRecords: units.some((unit) => unit.needs.ports.includes('records')),
    ...(runUnit && { runUnit }),
  });
  return { id: state.id, outcome: runAll(state), stop: (reason) => state.stop(reason) };
}

async function runAll(state: RunState): Promise<RunOutcome> {
  const { options, host } = state;
  const begin = host.clock.monotonic();
  state.emit({
    kind: 'run-started',
    run: state.id,
    started_at: new Date(state.startedAt).toISOString(),
    units: state.program.plan.units.map(infoOf),
    dry_run: options.dryRun ?? false,
    ...(showsSeed(state.program.plan.units, options, state.settings) && { seed: state.seed }),
  });
  await state.open();
  const refused = await checkInputs(state);
  const files = refused.length > 0 ? [] : await runUnits(state);
  // Folders of runs that were killed. What cannot be removed is in nobody's way: the next run tries again.
  await host.files.sweepTemporary().catch(() => undefined);
  await state.removeTemporary().catch(() => undefined);
  state.flush();
  const outcome = outcomeOf(state, files, refused, host.clock.monotonic() - begin);
  state.emit({ kind: 'run-finished', outcome });
  await state.outputs.end();
  return outcome;
}

/** Whether the seed is told to people: somebody gave one, or values depend on it and not on seeds of their files. */
export function showsSeed(
  units: readonly Unit[],
  { seed }: RunOptions,
  settings: Pick<Settings, 'seed'> = {},
): boolean {
  const isOf = ({ needs, seed: own }: Unit): boolean => needs.ports.includes('chance') && own === undefined;
  return (seed ?? settings.seed ?? seedOfAll(units)) !== undefined || units.some(isOf);
}

/** Facts about a unit that reporters get before it runs. */
export function infoOf(unit: Unit): UnitInfo {
  const steps = unit.setup.length + unit.body.length + unit.teardown.length;
  return {
    source: unit.source,
    ...(unit.name !== undefined && { name: unit.name }),
    steps,
    on_failure: ruleOf(unit.order),
  };
}

/** Rule after a failure, in a word: `stop`, `continue`, `stated: continue`, `graph: …`. */
function ruleOf(order: Unit['order']): string {
  if (order.kind === 'graph') return `graph: ${order.failed}`;
  const { on_failure: rule, stated } = order;
  return !import.meta.withoutStated && stated && rule === 'continue' ? 'stated: continue' : rule;
}

function outcomeOf(
  state: RunState,
  files: readonly UnitOutcome[],
  refused: readonly Failure[],
  durationMs: number,
): RunOutcome {
  const counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
  for (const file of files) for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] += file.counts[key];
  const failed = refused.length > 0 || state.stopped !== undefined || files.some((file) => file.status !== 'passed');
  return {
    run: state.id,
    status: failed ? 'failed' : 'passed',
    counts,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    seed: state.seed,
    files,
    ...(state.stopped !== undefined && { stopped: state.stopped }),
    ...(refused.length > 0 && { refused: refused.map((failure) => recordedError(failure, state.masker)) }),
  };
}
