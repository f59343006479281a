declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly textDiff: TextDiff;
  }
}

/** Differences of texts, line by line. Lines end with a line feed; a carriage return is part of a line. */
export interface TextDiff {
  /**
   * The hunks that lead from one text to the other, in order; none where they are equal. As small as they can be found
   * in bounded time.
   */
  hunks(left: string, right: string, context: number): readonly DiffHunk[];
}

export interface DiffHunk {
  /** Counted from 1; where a side has no line, the line before the hunk. */
  readonly leftStart: number;
  readonly leftCount: number;
  readonly rightStart: number;
  readonly rightCount: number;
  /** Each with its sign (a blank, `-` or `+`), without line end; the usual mark behind a last line that has none. */
  readonly lines: readonly string[];
}
