import { MOST_CHARACTERS, MOST_OPERATORS, TAG } from './ast.ts';
import type { TagFilter } from './ast.ts';

const LIST = new RegExp(`^\\s*${TAG}(?:\\s*,\\s*${TAG})*\\s*$`);

/** Reads the usual filters, a tag or several divided by commas, without the grammar; undefined for any other text. */
export function scanTagFilter(text: string): TagFilter | undefined {
  if (text.length > MOST_CHARACTERS || !LIST.test(text)) return undefined;
  const names = text.split(',').map((name) => name.trim());
  if (names.length > MOST_OPERATORS) return undefined;
  if (names.some((name) => /^(?:and|or|not)$/.test(name))) return undefined;
  return names.map((name): TagFilter => ({ kind: 'tag', name })).reduce((left, right) => ({ kind: 'or', left, right }));
}
