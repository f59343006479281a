import type { Block, BlockStep, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { StepResult } from './step-results.ts';

export interface FileResult<Step extends StepResult = StepResult> {
  readonly file: string;
  readonly status: 'ok' | 'failed';
  readonly steps: Step[];
  readonly error?: { readonly name: string; readonly message: string };
}

/**
 * Runs action files one after the other, all of them read before the first; fails at the end where one is broken.
 * `tell` says what results show of steps.
 */
export async function runFiles<Step extends StepResult>(
  files: readonly string[],
  executor: Ports['executor'],
  tell: (steps: readonly BlockStep[]) => Step[],
): Promise<FileResult<Step>[]> {
  const opened: { readonly file: string; readonly blocks: readonly Block[]; readonly error?: Failure }[] = [];
  for (const file of files) opened.push({ file, ...(await open(file, executor)) });
  const results: FileResult<Step>[] = [];
  for (const { file, blocks, error } of opened) {
    const outcomes = [];
    for (const block of blocks) outcomes.push(await block.run());
    const isOk = error === undefined && outcomes.every(({ failed }) => failed === 0);
    results.push({
      file,
      status: isOk ? 'ok' : 'failed',
      steps: outcomes.flatMap(({ steps }) => tell(steps)),
      ...(error ? { error: { name: error.name, message: error.message } } : {}),
    });
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
}

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
