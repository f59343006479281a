/** The keys of all records in the order in which they first stand. */
export function columnsOf(records: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const names = new Set<string>();
  for (const record of records) for (const name of Object.keys(record)) names.add(name);
  return [...names];
}

/**
 * A value as the text of a cell: null is empty, lists and objects are JSON. Guarded, an apostrophe stands before text
 * that a spreadsheet would take for a formula.
 */
export function cellOf(value: unknown, isGuarded: boolean): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return isGuarded && /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
}
