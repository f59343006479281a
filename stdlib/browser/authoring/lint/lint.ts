import { resolve } from 'node:path';

import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

export const WR_lint_action = command('WR_lint_action', async ({ data }, ctx) => [
  ...(await ctx.compiler.lint({ data: data as Json }, ctx.signal)),
]);

export const WR_lint_action_file = command('WR_lint_action_file', async ({ path }, ctx) => [
  ...(await ctx.compiler.lint({ path: resolve(ctx.folders.cwd, path) }, ctx.signal)),
]);

export const WR_lint_severity_counts = command('WR_lint_severity_counts', ({ findings }) => {
  const counts = new Map([
    ['warning', 0],
    ['info', 0],
  ]);
  for (const { severity = 'info' } of findings) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  return Object.fromEntries(counts) as { warning: number; info: number };
});
