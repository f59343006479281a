import type { TextEdit } from '#schemas/types/fix.ts';

/**
 * Applies edits that all speak of the same text. Equal edits count once (two findings may offer the same fix); several
 * insertions at one offset keep their order. Throws a RangeError when two edits overlap or leave the text: see
 * `compatible` for choosing among edits that may.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const { span, text: inserted } of inOrder(edits)) {
    if (span.start < from || span.end < span.start || span.end > text.length) {
      throw new RangeError(`The edit at ${span.start}..${span.end} overlaps the one before it or leaves the text.`);
    }
    result += text.slice(from, span.start) + inserted;
    from = span.end;
  }
  return result + text.slice(from);
}

/** Groups of edits, first come first served, whose edits touch none that were taken before. */
export function compatible<Group extends { readonly edits: readonly TextEdit[] }>(
  groups: readonly Group[],
): readonly Group[] {
  const taken = new Taken();
  return groups.filter(({ edits }) => {
    if (edits.some((edit) => taken.conflictsWith(edit))) return false;
    for (const edit of edits) taken.add(edit);
    return true;
  });
}

/** Edits by where they start. Those of a group do not overlap, so that few of them can touch another one. */
class Taken {
  readonly #edits: TextEdit[] = [];

  add(edit: TextEdit): void {
    this.#edits.splice(this.#firstFrom(edit.span.start), 0, edit);
  }

  conflictsWith(edit: TextEdit): boolean {
    const from = this.#firstFrom(edit.span.start);
    for (let at = from; at < this.#edits.length; at += 1) {
      const other = this.#edits[at] as TextEdit;
      if (other.span.start !== edit.span.start && other.span.start >= edit.span.end) break;
      if (conflicts(edit, other)) return true;
    }
    // Only the last ones of those that start before can reach as far.
    const last = this.#edits[from - 1]?.span.start;
    for (let at = from - 1; at >= 0 && this.#edits[at]?.span.start === last; at -= 1) {
      if (conflicts(edit, this.#edits[at] as TextEdit)) return true;
    }
    return false;
  }

  /** The place of the first edit that starts there or later. */
  #firstFrom(start: number): number {
    let [low, high] = [0, this.#edits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#edits[middle] as TextEdit).span.start < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function inOrder(edits: readonly TextEdit[]): readonly TextEdit[] {
  const sorted = edits.toSorted((left, right) => left.span.start - right.span.start || left.span.end - right.span.end);
  return sorted.filter((edit, index) => {
    const before = sorted[index - 1];
    return before === undefined || !isSame(before, edit) || edit.span.start === edit.span.end;
  });
}

function isSame(left: TextEdit, right: TextEdit): boolean {
  return left.span.start === right.span.start && left.span.end === right.span.end && left.text === right.text;
}

function conflicts(left: TextEdit, right: TextEdit): boolean {
  if (isSame(left, right)) return false;
  if (left.span.start === right.span.start) return true;
  return left.span.start < right.span.end && right.span.start < left.span.end;
}
