import { endOfLine } from '#grammar/source/lines.ts';

import type { Comment } from '../document.ts';
import { skipTrivia } from '../yaml/trivia.ts';

/**
 * The comments of a text in their order, taken one by one while what stands around them is printed. Lines end with
 * `\n`.
 */
export class Comments {
  readonly #text: string;
  readonly #all: readonly Comment[];
  #next = 0;
  /** Up to where comments follow one another, and the column of what follows them. */
  #run = { until: -1, column: 0 };

  /** Blanks and comments that were passed last. */
  #content = { end: 0, until: -1 };

  constructor(text: string, all: readonly Comment[]) {
    this.#text = text;
    this.#all = all;
  }

  /** Takes the next comment where it begins before `offset`. */
  before(offset: number): Comment | undefined {
    const comment = this.#all[this.#next];
    return comment !== undefined && comment.span.start < offset ? this.#take(comment) : undefined;
  }

  /** Whether a comment that was not taken begins in the range. */
  isIn(start: number, end: number): boolean {
    for (let at = this.#next; at < this.#all.length; at += 1) {
      const from = this.#all[at]?.span.start ?? 0;
      if (from >= start) return from < end;
    }
    return false;
  }

  /** Takes the next comment where it stands behind `offset` on its line, and before `limit`. */
  behind(offset: number, limit = Infinity): Comment | undefined {
    const comment = this.#all[this.#next];
    if (comment === undefined || comment.ownLine) return undefined;
    const { start } = comment.span;
    if (start < offset || start >= limit || this.#text.slice(offset, start).includes('\n')) return undefined;
    return this.#take(comment);
  }

  /** Takes the next comment behind `end` where it is indented with what ends there, not with what follows. */
  closing(column: number, end: number): Comment | undefined {
    const comment = this.#all[this.#next];
    if (comment === undefined || !comment.ownLine || comment.span.start > this.#contentBehind(end)) return undefined;
    const own = columnIn(this.#text, comment.span.start);
    return own >= column && own > this.#columnBehind(comment) ? this.#take(comment) : undefined;
  }

  #take(comment: Comment): Comment {
    this.#next += 1;
    return comment;
  }

  /** The offset of what stands behind `end`, comments and blanks left out. */
  #contentBehind(end: number): number {
    if (end < this.#content.end || end > this.#content.until)
      this.#content = { end, until: skipTrivia(this.#text, end, false) };
    return this.#content.until;
  }

  #columnBehind({ span }: Comment): number {
    if (span.start >= this.#run.until) {
      const until = skipTrivia(this.#text, endOfLine(this.#text, span.start), false);
      this.#run = { until, column: until >= this.#text.length ? 0 : columnIn(this.#text, until) };
    }
    return this.#run.column;
  }
}

/** Characters between the start of the line and `offset`, in a text whose lines end with `\n`. */
export function columnIn(text: string, offset: number): number {
  return offset - 1 - text.lastIndexOf('\n', offset - 1);
}
