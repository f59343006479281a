import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

/** Rows of a CSV, JSON or JSON Lines file as texts by column. */
export async function rowsOf(
  path: string,
  { datasets }: Pick<Ports, 'datasets'>,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const rows = await datasets.rows({ path, format: formatOf(path) });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  );
}

/** Whether requests hold `{{row.NAME}}`, also with its braces encoded as in addresses. */
export function speaksOfRows(requests: readonly unknown[]): boolean {
  return /(?:\{\{|%7B%7B)(?:\s|%20|\+)*row\./i.test(JSON.stringify(requests));
}

const named = /(?:\{\{|%7B%7B)(?:\s|%20|\+)*row\.(.+?)(?:\s|%20|\+)*(?:\}\}|%7D%7D)/gi;

/** Fails where requests name a column that cannot be filled: the placeholder would be sent as it is written. */
export function checkColumns(
  requests: readonly unknown[],
  rows: readonly Readonly<Record<string, string>>[],
  path: string | null,
): void {
  for (const [, name = ''] of JSON.stringify(requests).matchAll(named)) {
    const mistake = columnMistake(name, rows, path);
    if (mistake !== undefined) throw fail.loadProfile({ reason: `the requests speak of \${ROW.${name}}, ${mistake}` });
  }
}

function columnMistake(
  name: string,
  rows: readonly Readonly<Record<string, string>>[],
  path: string | null,
): string | undefined {
  if (path === null) return 'and no data is given';
  if (!/^[\w-]+$/.test(name)) return 'whose name may hold nothing but letters, digits, "_" and "-"';
  const lacking = rows.findIndex((row) => !Object.hasOwn(row, name));
  if (lacking >= 0) return `which row ${lacking + 1} of "${path}" lacks`;
  return rows.length === 0 ? `and "${path}" has no rows` : undefined;
}

/** Format by the name of the file, as for a dataset. */
function formatOf(path: string): 'csv' | 'json' | 'jsonl' {
  if (/\.jsonl$|\.ndjson$/i.test(path)) return 'jsonl';
  return /\.json$/i.test(path) ? 'json' : 'csv';
}
