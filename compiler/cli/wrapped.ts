/**
 * A text broken at blanks into lines of at most `columns` characters, each behind `indent` blanks; on one line without
 * `columns`.
 */
export function wrapped(text: string, columns: number | undefined, indent = 0): string[] {
  const margin = ' '.repeat(indent);
  if (columns === undefined) return [margin + text];
  const most = Math.max(columns - indent, 20);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > most) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => margin + each);
}
