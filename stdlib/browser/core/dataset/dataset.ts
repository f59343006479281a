import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';
import { timedStepResults, type TimedStepResult } from '#stdlib/lists/step-results.ts';

import { fillPlaceholders } from '../fill-placeholders.ts';
import { fillTexts } from '../fill-texts.ts';

export const WR_expand_with_row = command('WR_expand_with_row', ({ data, row }) =>
  fillTexts(data as Json, (text) =>
    fillPlaceholders(text, 'ROW', (column, placeholder, hasDefault) => {
      const value = Object.hasOwn(row, column) ? ((row as JsonObject)[column] as Json) : undefined;
      if (value !== undefined || hasDefault) return value;
      throw fail.placeholderUnfilled({ placeholder, reason: `the row has no column "${column}"` });
    }),
  ),
);

export const WR_load_dataset_csv = command(
  'WR_load_dataset_csv',
  async ({ path, encoding }, ctx) =>
    // Cells of CSV are texts.
    (await ctx.datasets.rows({ path, format: 'csv', encoding })) as Record<string, string>[],
);

export const WR_load_dataset_json = command('WR_load_dataset_json', async ({ path, encoding }, ctx) => [
  ...(await ctx.datasets.rows({ path, format: 'json', encoding })),
]);

export const WR_run_with_dataset = command('WR_run_with_dataset', async (params) => {
  const { action_data: actions, fresh_state } = params;
  const rows = params.rows as readonly JsonObject[];
  for (const [index, row] of rows.entries()) {
    const column = actions.columns.find((name) => !Object.hasOwn(row, name));
    if (column !== undefined) throw fail.rowColumnMissing({ column, row: index + 1 });
  }
  const goBack = fresh_state && rows.length > 1 ? await actions.keepState() : undefined;
  const results: { row: number; failed: number; steps: TimedStepResult[] }[] = [];
  for (const [index, values] of rows.entries()) {
    const row = index + 1;
    const reason = index > 0 ? await goBack?.() : undefined;
    if (reason !== undefined) throw fail.stateNotBroughtBack({ who: `Row ${row}`, reason, result: results });
    const { failed, steps } = await actions.run({ datasetRow: { number: row, values, isLast: row === rows.length } });
    results.push({ row, failed, steps: timedStepResults(steps) });
  }
  return results;
});
