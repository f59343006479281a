import { SCALAR_STYLE } from 'js-yaml';
import type { ScalarEvent } from 'js-yaml';

import { endOfLine } from '#grammar/source/lines.ts';

/** A piece of a value and where it stands: verbatim where both lengths are equal, else an escape. */
export interface Piece {
  readonly inText: number;
  readonly textLength: number;
  readonly inValue: number;
  readonly valueLength: number;
}

/**
 * The offset in the file of the UTF-16 unit `offset` of a scalar's value: escapes, folded lines and the
 * indentation of blocks are taken into account. For a sign that is no character of the file (a folded line
 * break) the place before it counts.
 */
export function yamlTextOffset(text: string, event: ScalarEvent, offset: number): number {
  if (event.valueStart < 0) return 0;
  if (event.fast) return Math.min(event.valueStart + offset, event.valueEnd);
  let last: Piece = { inText: event.valueStart, textLength: 0, inValue: 0, valueLength: 0 };
  for (const piece of piecesOf(text, event)) {
    if (offset < piece.inValue) break;
    last = piece;
  }
  const inside = offset - last.inValue;
  return last.inText + (inside >= last.valueLength ? last.textLength : inside);
}

/** The pieces of a scalar, in order. */
export function piecesOf(text: string, event: ScalarEvent): readonly Piece[] {
  const pieces = new Pieces();
  const { style } = event;
  if (style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK) blockPieces(text, event, pieces);
  else flowPieces(text, event, pieces);
  return pieces.found;
}

class Pieces {
  readonly found: Piece[] = [];
  #inValue = 0;

  add(inText: number, textLength: number, valueLength = textLength): void {
    if (textLength > 0) this.found.push({ inText, textLength, inValue: this.#inValue, valueLength });
    this.#inValue += valueLength;
  }

  /** Units of the value that nothing stands for. */
  skip(units: number): void {
    this.#inValue += units;
  }
}

function flowPieces(text: string, { valueStart, valueEnd, style }: ScalarEvent, pieces: Pieces): void {
  let from = valueStart;
  let inkEnd = valueStart;
  let at = valueStart;
  while (at < valueEnd) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || unit === 13) {
      // Blanks before a folded break are no part of the value.
      pieces.add(from, inkEnd - from);
      const { end, breaks } = fold(text, at, valueEnd);
      pieces.skip(breaks === 1 ? 1 : breaks - 1);
      at = from = inkEnd = end;
    } else if (unit === 39 && style === SCALAR_STYLE.SINGLE_QUOTED) {
      pieces.add(from, at - from);
      pieces.add(at, 2, 1);
      at = from = inkEnd = at + 2;
    } else if (unit === 92 && style === SCALAR_STYLE.DOUBLE_QUOTED) {
      pieces.add(from, at - from);
      at = from = inkEnd = escape(text, at, valueEnd, pieces);
    } else {
      at += 1;
      if (unit !== 32 && unit !== 9) inkEnd = at;
    }
  }
  pieces.add(from, valueEnd - from);
}

/** Adds the escape at `at`; yields where it ends. */
function escape(text: string, at: number, end: number, pieces: Pieces): number {
  const kind = text.charAt(at + 1);
  if (kind === '\n' || kind === '\r') return fold(text, at + 1, end).end;
  const digits = kind === 'x' ? 2 : kind === 'u' ? 4 : kind === 'U' ? 8 : 0;
  const isPair = digits === 8 && Number.parseInt(text.slice(at + 2, at + 10), 16) > 0xffff;
  pieces.add(at, 2 + digits, isPair ? 2 : 1);
  return at + 2 + digits;
}

function fold(text: string, from: number, limit: number): { readonly end: number; readonly breaks: number } {
  let breaks = 0;
  let at = from;
  for (; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || unit === 13) {
      breaks += 1;
      if (unit === 13 && text.charCodeAt(at + 1) === 10) at += 1;
    } else if (unit !== 32 && unit !== 9) {
      break;
    }
  }
  return { end: at, breaks };
}

/** Line by line: what stands behind the indentation, and the breaks between two lines as the style joins them. */
function blockPieces(text: string, { valueStart, valueEnd, indent, style }: ScalarEvent, pieces: Pieces): void {
  const isFolded = style === SCALAR_STYLE.FOLDED_BLOCK;
  let hasContent = false;
  let wasIndented = false;
  let emptyLines = 0;
  for (let start = valueStart; start < valueEnd;) {
    const end = Math.min(endOfLine(text, start), valueEnd);
    let content = start;
    while (content < start + indent && text.charCodeAt(content) === 32) content += 1;
    if (indent < 0 || content >= end) {
      emptyLines += 1;
    } else {
      const isIndented = isFolded && /[ \t]/.test(text.charAt(start + indent));
      const isJoined = isFolded && !isIndented && !wasIndented;
      if (isJoined) pieces.skip(emptyLines === 0 ? Number(hasContent) : emptyLines);
      else pieces.skip(hasContent || wasIndented ? 1 + emptyLines : emptyLines);
      pieces.add(start + indent, end - (start + indent));
      wasIndented = isIndented;
      hasContent = true;
      emptyLines = 0;
    }
    start = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
}
