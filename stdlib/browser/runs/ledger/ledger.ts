import { commandRaising } from '#stdlib/command.ts';

import { failRate, latestOutcomes, statistics } from '../flakiness.ts';

const command = commandRaising('LedgerError');

export const WR_ledger_record_run = command('WR_ledger_record_run', async ({ ledger_path, file_path, passed }, ctx) => {
  await ctx.ledger.append(ledger_path, { path: file_path, passed }, ctx.signal);
  return null;
});

export const WR_ledger_clear = command('WR_ledger_clear', async ({ ledger_path }, ctx) => {
  await ctx.ledger.clear(ledger_path);
  return null;
});

export const WR_ledger_failed_files = command('WR_ledger_failed_files', async ({ ledger_path }, ctx) =>
  [...latestOutcomes(await ctx.ledger.runs(ledger_path))].flatMap(([path, passed]) => (passed ? [] : [path])),
);

export const WR_ledger_passed_files = command('WR_ledger_passed_files', async ({ ledger_path }, ctx) =>
  [...latestOutcomes(await ctx.ledger.runs(ledger_path))].flatMap(([path, passed]) => (passed ? [path] : [])),
);

export const WR_flakiness_stats = command('WR_flakiness_stats', async ({ ledger_path, min_runs, window }, ctx) =>
  Object.fromEntries(statistics(await ctx.ledger.runs(ledger_path), { minRuns: min_runs, window })),
);

export const WR_flaky_paths = command('WR_flaky_paths', async ({ ledger_path, min_runs, min_fail_rate, window }, ctx) =>
  [...statistics(await ctx.ledger.runs(ledger_path), { minRuns: min_runs, window })].flatMap(([path, counts]) =>
    counts.flaky && failRate(counts) >= min_fail_rate ? [path] : [],
  ),
);
