import { command } from '#stdlib/command.ts';
import { runFiles } from '#stdlib/lists/run-files.ts';
import { timedStepResults } from '#stdlib/lists/step-results.ts';

export const WR_execute_action = command('WR_execute_action', async ({ action_list, stop_on_failure }) => {
  const { steps } = await action_list.run({ onFailure: stop_on_failure ? 'stop' : 'continue' });
  return timedStepResults(steps);
});

export const WR_execute_files = command(
  'WR_execute_files',
  async ({ execute_files_list: files }, ctx) => await runFiles(files, ctx.executor, timedStepResults),
);

export const WR_set_allow_arbitrary_script = command('WR_set_allow_arbitrary_script', ({ enabled }, ctx) => {
  ctx.gates.set('script', enabled, 'WR_set_allow_arbitrary_script');
  return null;
});

export const WR_set_record_enable = command('WR_set_record_enable', ({ set_enable }, ctx) => {
  ctx.stepRecord.switch(set_enable);
  return null;
});

export const WR_set_action_span_factory = command('WR_set_action_span_factory', async ({ factory }, ctx) => {
  ctx.stepPolicy.wrap(factory === null ? null : await ctx.modules.reference(factory));
  return null;
});

export const WR_set_retry_policy = command('WR_set_retry_policy', ({ retries, backoff }, ctx) => {
  ctx.stepPolicy.retry(retries, backoff);
  return null;
});

export const WR_set_failure_screenshot_dir = command('WR_set_failure_screenshot_dir', async ({ path }, ctx) => {
  await ctx.stepPolicy.pictures(path);
  return null;
});
