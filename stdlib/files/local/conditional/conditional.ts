import type { Block } from '#runtime/kernel/ports.ts';
import { command } from '#stdlib/command.ts';
import { foundAt } from '#stdlib/files/kind.ts';
import { stepResults, type StepResult } from '#stdlib/files/step-results.ts';

export const FA_if_exists = command('FA_if_exists', async ({ path, then, else_ }, ctx) => {
  const found = await foundAt(ctx.files, path);
  return branch(found !== undefined, then, else_);
});

export const FA_if_newer = command('FA_if_newer', async ({ source, target, then, else_ }, ctx) => {
  const one = await foundAt(ctx.files, source);
  const other = await foundAt(ctx.files, target);
  const isNewer = one !== undefined && (other === undefined || one.mtime_ms > other.mtime_ms);
  return branch(isNewer, then, else_);
});

export const FA_if_size_gt = command('FA_if_size_gt', async ({ path, size, then, else_ }, ctx) => {
  const found = await foundAt(ctx.files, path);
  return branch(found?.kind === 'file' && found.size > size, then, else_);
});

type Branch = Block | null | undefined;

async function branch(
  matched: boolean,
  then: Branch,
  otherwise: Branch,
): Promise<{ matched: boolean; results: Record<string, StepResult> }> {
  const chosen = matched ? then : otherwise;
  return { matched, results: chosen ? stepResults(await chosen.run()) : {} };
}
