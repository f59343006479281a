import { once } from '#grammar/language/once.ts';

import type { ParsedTagFilter } from './ast.ts';
import { scanTagFilter } from './scan.ts';

export { matchesTags, tagsIn } from './ast.ts';
export type { ParsedTagFilter, TagFilter, TagFilterProblem } from './ast.ts';

/**
 * The door of tag filters: `smoke`, `smoke, login` (either), `smoke & !slow`, `(a, b) & c`. The grammar is loaded only
 * for what is more than a list of tags.
 */
const grammar = once(async () => (await import('./parser.ts')).makeTagFilterGrammar());

/** Loads the grammar if the text needs it. */
export async function prepareTagFilter(text: string): Promise<void> {
  if (scanTagFilter(text) === undefined) await grammar.load();
}

/** Reads a tag filter. Never throws; without `prepareTagFilter` a problem is `unreadable` instead of exact. */
export function parseTagFilter(text: string): ParsedTagFilter {
  const filter = scanTagFilter(text);
  if (filter !== undefined) return { filter, problems: [] };
  return grammar.loaded?.(text) ?? { problems: [{ key: 'unreadable', from: 0, to: text.length }] };
}
