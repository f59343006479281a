import type { Block, BlockOutcome } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';

const command = commandRaising('SchedulerError');

export const WR_schedule = command('WR_schedule', async ({ name, interval_seconds, callback, then }, ctx) => {
  if ((callback === null) === (then === undefined)) throw fail.jobOfOneThing({ name });
  const pause = interval_seconds * 1000;
  if (then) {
    ctx.intervals.add({ name, pause, run: (signal) => runList(then, signal) });
    return null;
  }
  const work = await ctx.modules.reference(callback ?? '');
  ctx.intervals.add({ name, pause, run: async () => void (await work()) });
  return null;
});

export const WR_scheduler_counts = command('WR_scheduler_counts', (_, ctx) =>
  Object.fromEntries(ctx.intervals.counts()),
);

export const WR_reset_scheduler = command('WR_reset_scheduler', (_, ctx) => {
  ctx.intervals.reset();
  return null;
});

export const WR_run_scheduler_for = command('WR_run_scheduler_for', async ({ seconds }, ctx) => {
  await ctx.intervals.run(seconds * 1000, ctx.signal);
  return null;
});

export const WR_run_scheduler_forever = command('WR_run_scheduler_forever', async (_, ctx) => {
  await ctx.intervals.run(null, ctx.signal);
  return null;
});

export const WR_stop_scheduler = command('WR_stop_scheduler', (_, ctx) => {
  ctx.intervals.stop();
  return null;
});

async function runList(list: Block, signal: AbortSignal): Promise<void> {
  const outcome = await list.run({ signal });
  if (outcome.failed > 0) throw failed(outcome);
}

function failed({ failed: count, steps }: BlockOutcome): Error {
  const reasons = steps.flatMap(({ id, command: name, error }) => (error ? [`${id} ${name}: ${error.message}`] : []));
  return fail.jobStepsFailed({ failed: count, all: steps.length, reasons: reasons.join('; ') });
}
