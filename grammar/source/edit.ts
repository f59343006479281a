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

/** Those groups of edits, first come first served, whose edits touch none that were taken before. */
export function compatible<Group extends { readonly edits: readonly TextEdit[] }>(
  groups: readonly Group[],
): readonly Group[] {
  const taken: TextEdit[] = [];
  return groups.filter(({ edits }) => {
    if (edits.some((edit) => taken.some((other) => conflicts(edit, other)))) return false;
    taken.push(...edits);
    return true;
  });
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
