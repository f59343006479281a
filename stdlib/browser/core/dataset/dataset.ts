import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';
import { timedStepResults, type TimedStepResult } from '#stdlib/lists/step-results.ts';

import { fillTexts } from '../fill-texts.ts';

const PLACEHOLDER = /\$\{ROW\.([A-Za-z_]\w*)\}/g;
const WHOLE = /^\$\{ROW\.([A-Za-z_]\w*)\}$/;

export const WR_expand_with_row = command('WR_expand_with_row', ({ data, row }) =>
  fillTexts(data as Json, (text) => filled(text, row as JsonObject)),
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
    if (reason !== undefined) throw fail.stateNotBroughtBack({ row, reason, result: results });
    const { failed, steps } = await actions.run({ datasetRow: { number: row, values, isLast: row === rows.length } });
    results.push({ row, failed, steps: timedStepResults(steps) });
  }
  return results;
});

/** A text that is one placeholder takes the value as it is; in a longer text it is written as JSON writes it. */
function filled(text: string, row: JsonObject): Json {
  const column = WHOLE.exec(text)?.[1];
  if (column !== undefined) return cell(row, column, text);
  return text.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    const value = cell(row, name, placeholder);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function cell(row: JsonObject, column: string, placeholder: string): Json {
  const value = Object.hasOwn(row, column) ? row[column] : undefined;
  if (value !== undefined) return value;
  throw fail.placeholderUnfilled({ placeholder, reason: `the row has no column "${column}"` });
}
