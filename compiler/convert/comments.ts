import type { Comment, Document } from '#grammar/document/document.ts';

/** The comments of a document that another text of it no longer has, in order. */
export function lostComments(before: Document, after: Document): readonly Comment[] {
  const left = new Map<string, number>();
  for (const { text } of after.comments()) left.set(text, (left.get(text) ?? 0) + 1);
  return before.comments().filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
