import type { Span } from '#schemas/types/place.ts';

import { cells, cellWidth } from './cells.ts';
import { linesOf } from './lines.ts';
import type { Lines } from './lines.ts';

/** A place to show in a source frame. The primary one is underlined with `^`, others with `-`. */
export interface Mark {
  readonly span: Span;
  /** Text beside the underline. */
  readonly text?: string;
  readonly secondary?: true;
}

export interface FrameOptions {
  /** Cells of source that a line may take before it is folded around its mark (100). */
  readonly width?: number;
  /** Lines to show before and after each marked one (0). */
  readonly context?: number;
  /** Given where one text has many frames, so that its table of lines is made once. */
  readonly lines?: Lines;
  /** Hides secrets in a part of the text that is shown; the same length. */
  readonly hide?: (part: string) => string;
}

/** One printed line: its gutter and what stands right of it. Reporters may colour the two differently. */
export interface FrameLine {
  readonly kind: 'source' | 'marks' | 'gap';
  readonly gutter: string;
  readonly content: string;
}

const TAB = 4;

/**
 * Lines of source with the marked places underlined. Tabs are shown as spaces to the next multiple of four, control
 * characters as visible ones, wide characters count as two cells, and long lines are folded around what is marked. Of a
 * mark over several lines the first line is shown.
 */
export function frameLines(text: string, marks: readonly Mark[], options: FrameOptions = {}): readonly FrameLine[] {
  const lines = options.lines ?? linesOf(text);
  const byLine = Map.groupBy(marks, (mark) => lines.position(mark.span.start).line);
  const shown = shownLines([...byLine.keys()], options.context ?? 0, lines.count);
  const digits = String(shown.at(-1) ?? 1).length;
  const empty = ` ${' '.repeat(digits)} |`;
  const result: FrameLine[] = [];
  let before: number | undefined;
  for (const line of shown) {
    if (before !== undefined && line > before + 1) result.push({ kind: 'gap', gutter: '...', content: '' });
    before = line;
    const { source, underlines } = renderLine(text, lines.span(line), byLine.get(line) ?? [], options);
    result.push({ kind: 'source', gutter: ` ${String(line).padStart(digits)} |`, content: source });
    for (const content of underlines) result.push({ kind: 'marks', gutter: empty, content });
  }
  return result;
}

/** `frameLines` as plain text, lines joined by LF, without one at the end. */
export function frame(text: string, marks: readonly Mark[], options: FrameOptions = {}): string {
  return frameLines(text, marks, options)
    .map(({ gutter, content }) => (content === '' ? gutter : `${gutter} ${content}`))
    .join('\n');
}

function shownLines(marked: readonly number[], context: number, count: number): readonly number[] {
  const shown = new Set<number>();
  for (const line of marked) {
    for (let near = Math.max(1, line - context); near <= Math.min(count, line + context); near += 1) shown.add(near);
  }
  return [...shown].toSorted((left, right) => left - right);
}

/** One grapheme as it is shown: where it begins in the line, and the cells that it takes. */
interface Cell {
  readonly offset: number;
  readonly end: number;
  readonly text: string;
  readonly width: number;
}

function renderLine(
  text: string,
  place: Span,
  marks: readonly Mark[],
  { width = 100, hide }: FrameOptions,
): { source: string; underlines: string[] } {
  // A minified file may be one line of megabytes: only the neighbourhood of the first mark is laid out.
  const first = Math.min(...marks.map((mark) => mark.span.start), place.end);
  const from = marks.length === 0 ? place.start : Math.max(place.start, first - width * 4);
  const to = Math.min(place.end, Math.max(from, marks.length === 0 ? from : first) + width * 4);
  const all = layOut(hide ? hidden(text, { from, to }, hide) : text.slice(from, to), from);
  const window = fold(all, first, width, { before: from > place.start, after: to < place.end });
  const shown = all.slice(window.from, window.to);
  const lead = window.foldedBefore ? '…' : '';
  const source = lead + shown.map((cell) => cell.text).join('') + (window.foldedAfter ? '…' : '');
  const underlines = marks
    .toSorted(
      (left, right) =>
        left.span.start - right.span.start || Number(left.secondary ?? false) - Number(right.secondary ?? false),
    )
    .map((mark) => underline(mark, shown, cellWidth(lead)));
  return { source: source.trimEnd(), underlines };
}

/** Room around what is shown: a secret that begins or ends there is still known as one. */
const AROUND = 8 * 1024;

function hidden(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  hide: (part: string) => string,
): string {
  const start = Math.max(0, from - AROUND);
  return hide(text.slice(start, to + AROUND)).slice(from - start, to - start);
}

function layOut(line: string, offset: number): readonly Cell[] {
  const result: Cell[] = [];
  let at = offset;
  let column = 0;
  for (const { text, width } of cells(line)) {
    const cell = text === '\t' ? tab(column, at) : { offset: at, end: at + text.length, ...visible(text, width) };
    result.push(cell);
    column += cell.width;
    at += text.length;
  }
  return result;
}

function tab(column: number, offset: number): Cell {
  const width = TAB - (column % TAB);
  return { offset, end: offset + 1, text: ' '.repeat(width), width };
}

/** Control characters and direction marks would act on the terminal or lie about the order of the text. */
function visible(text: string, width: number): { text: string; width: number } {
  const code = text.codePointAt(0) ?? 0;
  if (code < 0x20) return { text: String.fromCodePoint(0x2400 + code), width: 1 };
  if (code === 0x7f) return { text: '␡', width: 1 };
  if (/[\x80-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029]/.test(text))
    return { text: '�', width: 1 };
  return { text, width };
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly foldedBefore: boolean;
  readonly foldedAfter: boolean;
}

/** Cells to show: from the start where the mark is near it, else from a third of the width before the mark. */
function fold(line: readonly Cell[], mark: number, width: number, cut: { before: boolean; after: boolean }): Window {
  const total = line.reduce((sum, cell) => sum + cell.width, 0);
  if (total <= width && !cut.before && !cut.after)
    return { from: 0, to: line.length, foldedBefore: false, foldedAfter: false };
  const marked = line.findIndex((cell) => cell.end > mark);
  let from = marked < 0 ? line.length : marked;
  let lead =
    cellsBefore(line, from) <= (width * 2) / 3 && !cut.before ? Number.MAX_SAFE_INTEGER : Math.floor(width / 3);
  while (from > 0 && lead > 0) lead -= line[(from -= 1)]?.width ?? 1;
  let to = from;
  let room = width;
  while (to < line.length && room >= (line[to]?.width ?? 1)) room -= line[(to += 1) - 1]?.width ?? 1;
  return { from, to, foldedBefore: from > 0 || cut.before, foldedAfter: to < line.length || cut.after };
}

function cellsBefore(line: readonly Cell[], index: number): number {
  return line.slice(0, index).reduce((sum, cell) => sum + cell.width, 0);
}

function underline(mark: Mark, shown: readonly Cell[], lead: number): string {
  let before = lead;
  let under = 0;
  for (const cell of shown) {
    if (cell.offset < mark.span.start) before += cell.width;
    else if (cell.offset < mark.span.end) under += cell.width;
  }
  const line = (mark.secondary ? '-' : '^').repeat(Math.max(1, under));
  return ' '.repeat(before) + line + (mark.text === undefined ? '' : ` ${mark.text}`);
}
