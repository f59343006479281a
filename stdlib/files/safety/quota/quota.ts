import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Files } from '#schemas/types/host.ts';
import { command } from '#stdlib/command.ts';
import { stepResults } from '#stdlib/files/step-results.ts';
import { walk } from '#stdlib/files/walk.ts';

import { checkSize, sizeOf, TimeBudget } from './limits.ts';

export const FA_with_quota = command('FA_with_quota', async ({ then, max_seconds, max_bytes, label }, ctx) => {
  const budget = new TimeBudget(ctx.clock, max_seconds, label);
  try {
    const outcome = await then.run({ signal: budget.signal });
    const results = stepResults(outcome);
    if (budget.isOver)
      throw budget.exceeded({ cause: firstFailure(outcome.steps, budget.signal.reason), result: { results } });
    for (const { result } of outcome.steps) if (result !== undefined) checkSize(sizeOf(result), max_bytes, label);
    return { results };
  } finally {
    budget.end();
  }
});

/** First failure that is a step's own, and does not come from the time being up. */
function firstFailure(steps: readonly { readonly failure?: Failure }[], over: unknown): Failure | undefined {
  return steps
    .map(({ failure }) => failure)
    .find((failure) => failure !== undefined && failure !== over && failure.options.cause !== over);
}

export const FA_quota_check_size = command('FA_quota_check_size', async ({ max_bytes, path, nbytes, label }, ctx) => {
  if ((path === null) === (nbytes === null)) throw fail.quotaOfOneThing();
  const bytes = nbytes ?? (await sizeAt(ctx.files, path ?? '', ctx.signal));
  checkSize(bytes, max_bytes, label);
  return bytes;
});

async function sizeAt(files: Files, path: string, signal: AbortSignal): Promise<number> {
  const found = await files.find(path);
  if (found?.kind === 'file') return found.size;
  if (found?.kind !== 'directory') throw fail.fileNotFound({ path });
  const counted = new Set<string>();
  let bytes = 0;
  for await (const entry of walk(files, path, { signal })) {
    if (entry.kind !== 'file') continue;
    const { size, nlink, dev, ino } = await files.lstat(entry.path);
    const name = `${dev} ${ino}`;
    if (nlink > 1 && counted.has(name)) continue;
    if (nlink > 1) counted.add(name);
    bytes += size;
  }
  return bytes;
}
