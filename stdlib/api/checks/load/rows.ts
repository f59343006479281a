import type { Ports } from '#runtime/kernel/ports.ts';

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

/** Format by the name of the file, as for a dataset. */
function formatOf(path: string): 'csv' | 'json' | 'jsonl' {
  if (/\.jsonl$|\.ndjson$/i.test(path)) return 'jsonl';
  return /\.json$/i.test(path) ? 'json' : 'csv';
}
