import type { Cancellation } from '../cancellation.ts';
import type { UnitRun } from './unit-run.ts';

/** Waits while watches, schedules and the like go on, unless the run is not to stay. */
export async function stay(work: UnitRun, cancel: Cancellation): Promise<void> {
  const { run, unit, jobs } = work;
  if (jobs.size === 0 || run.options.once || run.options.dryRun || cancel.cancelled || run.halted) return;
  const names = [...jobs].map((job) => job.name).join(', ');
  const end = unit.run_for_s === undefined ? 'until it is interrupted' : `for ${unit.run_for_s} s`;
  work.notice('info', `the run stays ${end}: ${names}`);
  run.flush();
  await new Promise<void>((resolve) => {
    const leave = cancel.whenCancelled(() => resolve());
    const endTimer =
      unit.run_for_s === undefined ? undefined : run.host.clock.timer(unit.run_for_s * 1000, () => resolve());
    const done = async (): Promise<void> => {
      while (jobs.size > 0) await Promise.race([...jobs].map((job) => job.done));
      leave();
      endTimer?.();
      resolve();
    };
    void done();
  });
}
