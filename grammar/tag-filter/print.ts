import { quote } from '#grammar/language/quoted.ts';

import { TAG } from './ast.ts';
import type { TagFilter } from './ast.ts';

const PLAIN = new RegExp(`^(?!(?:and|or|not)$)${TAG}$`);

/** A filter as text, with the parentheses that it needs and no others. */
export function printTagFilter(filter: TagFilter): string {
  return print(filter, 1);
}

function print(filter: TagFilter, least: number): string {
  switch (filter.kind) {
    case 'tag':
      return PLAIN.test(filter.name) ? filter.name : quote(filter.name);
    case 'not':
      return `!${print(filter.operand, 3)}`;
    case 'and':
      return grouped(`${print(filter.left, 2)} & ${print(filter.right, 3)}`, 2 < least);
    case 'or':
      return grouped(`${print(filter.left, 1)}, ${print(filter.right, 2)}`, 1 < least);
  }
}

function grouped(text: string, isGroup: boolean): string {
  return isGroup ? `(${text})` : text;
}
