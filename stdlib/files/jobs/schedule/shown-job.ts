import type { Ports } from '#runtime/kernel/ports.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Clock } from '#schemas/types/host.ts';

import { lastResult } from '../last-result.ts';
import { localTime } from '../local-time.ts';

type Job = ReturnType<Ports['schedule']['add']>;

/** A job as results show it: times are local, with their offsets. */
export function shownJob(job: Job, clock: Clock): CommandMap['FA_schedule_add']['result'] {
  const time = (at: number | undefined): string | null => (at === undefined ? null : localTime(at, clock.offset(at)));
  return {
    name: job.name,
    cron: job.expression,
    actions: job.actions,
    last_run: time(job.lastRun),
    next_run: time(job.nextRun),
    runs: job.runs,
    allow_overlap: job.allowOverlap,
    running: job.running,
    skipped: job.skipped,
    last_result: lastResult(job.last, clock),
  };
}
