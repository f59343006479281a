/** How the value of a locator is to be read. */
export type Strategy = 'id' | 'name' | 'xpath' | 'css' | 'class' | 'tag' | 'link' | 'partial-link';

export interface Locator {
  readonly strategy: Strategy;
  readonly value: string;
}

/** The spellings that commands take, in small letters. */
const spellings = {
  id: 'id',
  name: 'name',
  xpath: 'xpath',
  css_selector: 'css',
  css: 'css',
  class_name: 'class',
  tag_name: 'tag',
  link_text: 'link',
  partial_link_text: 'partial-link',
} as const satisfies Readonly<Record<string, Strategy>>;

/** Undefined for a spelling that no strategy has. Letter case does not count. */
export function strategyOf(spelling: string): Strategy | undefined {
  const known: Readonly<Record<string, Strategy>> = spellings;
  const key = spelling.toLowerCase();
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

/** A locator as messages name it: `css "#mail"`. */
export function nameOf(locator: Locator): string {
  return `${locator.strategy} "${locator.value}"`;
}
