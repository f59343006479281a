/** Names that can be asked for in a value: its keys, or its positions. Undefined: there is nothing inside. */
export function namesIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const names = Array.isArray(value) ? positions(value.length) : Object.keys(value);
  if (names.length === 0) return undefined;
  const shown = names.slice(0, 12).join(', ');
  return names.length > 12 ? `${shown}, …` : shown;
}

function positions(length: number): string[] {
  if (length === 0) return [];
  return length === 1 ? ['[0]'] : ['[0]', '…', `[${length - 1}]`];
}
