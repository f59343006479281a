import { once } from '#grammar/language/once.ts';
import type { Range } from '#grammar/language/problem.ts';

import type { ParsedText } from './ast.ts';
import { hasReference, scanText } from './scan.ts';

export type { ParsedText, ReferenceProblem } from './ast.ts';
export { hasReference } from './scan.ts';

/**
 * The door of the reference language (`compiler/language/references.md`). A linear scanner reads every text whose
 * references are well formed; the Chevrotain grammar, which says exactly what is wrong with others, takes longer to
 * load than a small file to check. So: await `prepareReferences` once with the texts at hand (it loads the grammar only
 * if one of them needs it), then call `parseText` as often as you like. Programs and commands use `scan.ts`, which
 * never loads the grammar.
 */
const grammar = once(async () => {
  const [{ makeReferenceGrammar }, { readWithGrammar }] = await Promise.all([
    import('./parser.ts'),
    import('./read-broken.ts'),
  ]);
  const read = makeReferenceGrammar();
  return (text: string, ranges?: Range[]): ParsedText => readWithGrammar(text, read, ranges);
});

/** Loads the grammar if one of the texts has a reference that the scanner leaves to it. */
export async function prepareReferences(texts: Iterable<string>): Promise<void> {
  if (grammar.loaded !== undefined) return;
  for (const text of texts) {
    if (!hasReference(text) || scanText(text) !== undefined) continue;
    await grammar.load();
    return;
  }
}

/**
 * Reads a text into literals and references. Never throws: a broken reference is a problem with its place, stands in
 * the parts as text, and those behind it are read. A text for which nothing was prepared gets the problem `unreadable`
 * instead of an exact one.
 */
export function parseText(text: string): ParsedText {
  if (!hasReference(text)) return { parts: [text], problems: [] };
  return scanText(text) ?? grammar.loaded?.(text) ?? unreadable(text);
}

/** Range of each part of a text, in the order of its `parts`: read anew for a finding, since few texts have one. */
export function rangesOf(text: string): readonly Range[] {
  const scanned: Range[] = [];
  if (scanText(text, scanned) !== undefined) return scanned;
  const ranges: Range[] = [];
  grammar.loaded?.(text, ranges);
  return ranges;
}

function unreadable(text: string): ParsedText {
  const from = Math.max(0, text.search(/\$\{|\{\{/));
  return { parts: [text], problems: [{ key: 'unreadable', from, to: text.length }] };
}
