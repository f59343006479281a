import { Outputs } from '#runtime/kernel/outputs.ts';
import type { RunOptions } from '#runtime/kernel/options.ts';
import type { Run } from '#runtime/kernel/run.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Counts, RunOutcome, UnitOutcome } from '#schemas/types/run-event.ts';

/** Counts of what has not run. */
export const nothing: Counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };

/**
 * A run that errors in files keep from beginning: its reporters are told what became of each file, and its records are
 * closed without any, since no step ended.
 */
export function refusedRun(
  id: string,
  files: readonly UnitOutcome[],
  { reporters, records }: Pick<RunOptions, 'reporters' | 'records'>,
  { clock }: Pick<Host, 'clock'>,
): Run {
  return { id, outcome: tell(id, files, new Outputs({ reporters, records }), clock), stop: () => undefined };
}

async function tell(
  run: string,
  files: readonly UnitOutcome[],
  outputs: Outputs,
  clock: Host['clock'],
): Promise<RunOutcome> {
  outputs.emit({
    kind: 'run-started',
    run,
    started_at: new Date(clock.now()).toISOString(),
    units: files.map(({ file }) => ({ source: file, steps: 0, on_failure: 'none' })),
    dry_run: false,
  });
  for (const { file, ...rest } of files) outputs.emit({ kind: 'unit-finished', source: file, ...rest });
  const outcome: RunOutcome = { run, status: 'failed', counts: nothing, duration_ms: 0, files };
  outputs.emit({ kind: 'run-finished', outcome });
  await outputs.end();
  return outcome;
}
