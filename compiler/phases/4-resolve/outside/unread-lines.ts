/** Numbers (from 1) of the lines of an environment file that give no key a value, and are no comments. */
export function unreadLines(text: string): readonly number[] {
  const lines = text.split(/\r?\n/);
  const unread: number[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').replace(/^\uFEFF/, '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, value] = /^(?:export\s+)?[^\s=:#"']+\s*=\s*(.*)$/.exec(line) ?? [];
    const end = value === undefined ? -1 : endOf(value, lines, index);
    if (end < 0) unread.push(index + 1);
    else index = end;
  }
  return unread;
}

/** Index of the line on which a value ends; -1: its quote is never closed. */
function endOf(value: string, lines: readonly string[], index: number): number {
  const [quote] = /^["'`]/.exec(value) ?? [];
  if (quote === undefined || value.includes(quote, 1)) return index;
  for (let end = index + 1; end < lines.length; end += 1) if (lines[end]?.includes(quote)) return end;
  return -1;
}
