import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';
import { stepResults, type StepResult } from '#stdlib/files/step-results.ts';

import { substitute } from './substitute.ts';

const command = commandRaising('ExecuteActionException', ['JsonActionException']);

export const FA_execute_action = command('FA_execute_action', async ({ action_list, dry_run }) =>
  stepResults(await action_list.run({ dryRun: dry_run })),
);

export const FA_execute_action_parallel = command(
  'FA_execute_action_parallel',
  async ({ action_list, max_workers, dry_run }) =>
    stepResults(await action_list.run({ order: { kind: 'parallel', workers: max_workers }, dryRun: dry_run })),
);

export const FA_execute_files = command('FA_execute_files', async ({ execute_files_list }, ctx) => {
  const lists = await ctx.executor.open(execute_files_list);
  const results: Record<string, StepResult>[] = [];
  for (const list of lists) results.push(stepResults(await list.run()));
  return results;
});

export const FA_validate = command('FA_validate', async ({ action_list }, ctx) => {
  const { commands, problems } = await ctx.executor.check(action_list as Json);
  if (problems.length > 0) throw fail.actionsInvalid({ problems: problems.join('; '), actual: problems });
  return commands;
});

export const FA_substitute = command('FA_substitute', ({ payload }, ctx) =>
  substitute(payload as Json, ctx.references),
);
