import { endOfLine } from '#grammar/source/lines.ts';

/** Offset of the first character of the line that holds `offset`. */
export function startOfLine(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** Offset behind the line break that ends the line of `offset`; the end of the text where none does. */
export function nextLine(text: string, offset: number): number {
  const end = endOfLine(text, offset);
  return text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length);
}

/** Characters between the start of the line and `offset`. */
export function columnOf(text: string, offset: number): number {
  return offset - startOfLine(text, offset);
}

/** Whether only blanks stand before `offset` on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(startOfLine(text, offset), offset));
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Shifts all lines but the first by `delta` blanks; empty lines stay as they are. */
export function reindent(text: string, delta: number): string {
  if (delta === 0) return text;
  return text.replace(
    /\n( *)(?=[^\r\n])/g,
    (_, blanks: string) => `\n${' '.repeat(Math.max(0, blanks.length + delta))}`,
  );
}
