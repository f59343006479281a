import { command } from '#stdlib/command.ts';
import { runFiles } from '#stdlib/lists/run-files.ts';
import { stepResults } from '#stdlib/lists/step-results.ts';

export const AT_execute_action = command('AT_execute_action', async ({ action_list }) =>
  stepResults((await action_list.run()).steps),
);

export const AT_execute_files = command(
  'AT_execute_files',
  async ({ execute_files_list: files }, ctx) => await runFiles(files, ctx.executor, stepResults),
);

export const AT_add_package_to_executor = command('AT_add_package_to_executor', ({ package: name }, ctx) =>
  ctx.modules.load(name),
);

export const AT_add_package_to_callback_executor = command(
  'AT_add_package_to_callback_executor',
  ({ package: name }, ctx) => ctx.modules.loadForCallbacks(name),
);
