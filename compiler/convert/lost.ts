import { aliasesIn } from '#grammar/document/aliases.ts';
import type { Comment, Document } from '#grammar/document/document.ts';
import type { Span } from '#schemas/types/place.ts';

/** The comments of a document that another text of it no longer has, in order. */
export function lostComments(before: Document, after: Document): readonly Comment[] {
  return without(before.comments(), after.comments());
}

/** The places of the aliases of a document that another text of it no longer has, in order. */
export function lostAliases(before: Document, after: Document): readonly Span[] {
  const named = (document: Document): readonly Alias[] =>
    aliasesIn(document).map((span) => ({ span, text: document.text.slice(span.start, span.end) }));
  return without(named(before), named(after)).map(({ span }) => span);
}

interface Alias {
  readonly span: Span;
  readonly text: string;
}

/** Items of which another list has fewer, by their texts. */
function without<Item extends { readonly text: string }>(
  before: readonly Item[],
  after: readonly Item[],
): readonly Item[] {
  const left = new Map<string, number>();
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1);
  return before.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
