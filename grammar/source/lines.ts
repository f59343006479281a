import type { Position, Span } from '#schemas/types/place.ts';

/** Turns offsets of one text into lines and columns and back. A line ends at LF, CRLF or CR. */
export interface Lines {
  /** Number of lines: one more than line breaks. */
  readonly count: number;
  /** Offsets beyond the text count as its end. */
  position(offset: number): Position;
  /** The offset of a position; lines and columns beyond the text count as its end. */
  offset(position: Position): number;
  /** The range of line `line` (from 1) without its break; an empty range at the end for lines that do not exist. */
  span(line: number): Span;
}

/** Makes the table of line starts when something is first asked. */
export function linesOf(text: string): Lines {
  let starts: readonly number[] | undefined;
  const table = (): readonly number[] => (starts ??= lineStarts(text));
  return {
    get count() {
      return table().length;
    },
    position(offset) {
      const at = Math.max(0, Math.min(offset, text.length));
      const line = lineAt(table(), at);
      return { line: line + 1, column: at - (table()[line] ?? 0) + 1 };
    },
    offset({ line, column }) {
      const start = table()[line - 1] ?? text.length;
      return Math.min(start + column - 1, text.length);
    },
    span(line) {
      const start = table()[line - 1] ?? text.length;
      return { start, end: endOfLine(text, start) };
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  if (text.includes('\r')) {
    for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
    return starts;
  }
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the last start that is not behind `offset`. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The offset of the line break that ends the line at `from`, or of the end of the text. */
export function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || unit === 13) return at;
  }
  return text.length;
}
