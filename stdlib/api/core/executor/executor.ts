import type { Block, BlockStep, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

export const AT_execute_action = command('AT_execute_action', async ({ action_list }) =>
  stepResults((await action_list.run()).steps),
);

export const AT_execute_files = command('AT_execute_files', async ({ execute_files_list: files }, ctx) => {
  const opened: { readonly file: string; readonly blocks: readonly Block[]; readonly error?: Failure }[] = [];
  for (const file of files) opened.push({ file, ...(await open(file, ctx.executor)) });
  const results = [];
  for (const { file, blocks, error } of opened) {
    const outcomes = [];
    for (const block of blocks) outcomes.push(await block.run());
    const isOk = error === undefined && outcomes.every(({ failed }) => failed === 0);
    results.push({
      file,
      status: isOk ? 'ok' : 'failed',
      steps: outcomes.flatMap(({ steps }) => stepResults(steps)),
      ...(error ? { error: { name: error.name, message: error.message } } : {}),
    } as const);
  }
  const broken = opened.filter(({ error }) => error !== undefined);
  if (broken.length > 0)
    throw fail.executeFiles({
      count: broken.length,
      total: files.length,
      files: broken.map(({ file }) => file).join(', '),
      cause: broken[0]?.error,
      result: results,
    });
  return results;
});

export const AT_add_package_to_executor = command('AT_add_package_to_executor', ({ package: name }, ctx) =>
  ctx.modules.load(name),
);

export const AT_add_package_to_callback_executor = command(
  'AT_add_package_to_callback_executor',
  ({ package: name }, ctx) => ctx.modules.loadForCallbacks(name),
);

/** Read and checked before the first file runs. */
async function open(
  file: string,
  executor: Ports['executor'],
): Promise<{ readonly blocks: readonly Block[]; readonly error?: Failure }> {
  try {
    return { blocks: await executor.open([file]) };
  } catch (error) {
    // Without a compiler no file can run: that is not a matter of this one.
    if (!(error instanceof Failure) || error.facts.name === 'executor-missing') throw error;
    return { blocks: [], error };
  }
}

interface StepResult {
  readonly index: number;
  readonly id: string;
  readonly command: string;
  readonly status: 'ok' | 'failed' | 'skipped' | 'dry_run';
  readonly result?: Json;
  readonly error?: { readonly name: string; readonly message: string };
  readonly reason?: string;
}

const shown = { passed: 'ok', failed: 'failed', skipped: 'skipped', 'dry-run': 'dry_run' } as const;

function stepResults(steps: readonly BlockStep[]): StepResult[] {
  return steps.map(({ id, command: name, status, result, error, reason }, index) => ({
    index,
    id,
    command: name,
    status: shown[status],
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error: { name: error.name, message: error.message } }),
    ...(reason === undefined ? {} : { reason }),
  }));
}
