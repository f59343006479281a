import { commandRaising } from '#stdlib/command.ts';

import { shownJob } from './shown-job.ts';

const command = commandRaising('SchedulerException', ['CronException']);

export const FA_schedule_add = command(
  'FA_schedule_add',
  ({ name, cron_expression, action_list, allow_overlap }, ctx) => {
    const job = ctx.schedule.add({ name, expression: cron_expression, list: action_list, allowOverlap: allow_overlap });
    return shownJob(job, ctx.clock);
  },
);

export const FA_schedule_remove = command('FA_schedule_remove', ({ name }, ctx) =>
  shownJob(ctx.schedule.remove(name), ctx.clock),
);

export const FA_schedule_remove_all = command('FA_schedule_remove_all', (_, ctx) =>
  ctx.schedule.removeAll().map((job) => shownJob(job, ctx.clock)),
);

export const FA_schedule_list = command('FA_schedule_list', (_, ctx) =>
  ctx.schedule.list().map((job) => shownJob(job, ctx.clock)),
);
