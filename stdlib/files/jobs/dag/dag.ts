import { commandRaising } from '#stdlib/command.ts';
import { nodeResults } from '#stdlib/files/step-results.ts';

const command = commandRaising('DagException');

export const FA_execute_action_dag = command(
  'FA_execute_action_dag',
  async ({ nodes, max_workers, fail_fast, dry_run }) => {
    const failed = fail_fast ? 'skip-dependents' : 'run-dependents';
    return nodeResults(await nodes.run({ order: { kind: 'graph', workers: max_workers, failed }, dryRun: dry_run }));
  },
);
