import { parseSelector } from '#grammar/selector/parse.ts';

/** Kind of a locator, which says how its value is read. `selector`: as a chain of parts with engines of their own. */
export type Strategy =
  | 'id'
  | 'name'
  | 'xpath'
  | 'css'
  | 'class'
  | 'tag'
  | 'link'
  | 'partial-link'
  | 'role'
  | 'label'
  | 'placeholder'
  | 'text'
  | 'test_id'
  | 'deep_css'
  | 'selector';

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
  role: 'role',
  label: 'label',
  placeholder: 'placeholder',
  text: 'text',
  test_id: 'test_id',
  deep_css: 'deep_css',
} as const satisfies Readonly<Record<string, Strategy>>;

/** Undefined for a spelling that no strategy has. Letter case does not count. */
export function strategyOf(spelling: string): Strategy | undefined {
  const known: Readonly<Record<string, Strategy>> = spellings;
  const key = spelling.toLowerCase();
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

/** Strategy of a locator as action files write it: `CSS_SELECTOR`. */
export function spellingOf({ strategy }: Locator): string {
  return objectTypes[strategy];
}

const objectTypes: Readonly<Record<Strategy, string>> = {
  id: 'ID',
  name: 'NAME',
  xpath: 'XPATH',
  css: 'CSS_SELECTOR',
  class: 'CLASS_NAME',
  tag: 'TAG_NAME',
  link: 'LINK_TEXT',
  'partial-link': 'PARTIAL_LINK_TEXT',
  role: 'ROLE',
  label: 'LABEL',
  placeholder: 'PLACEHOLDER',
  text: 'TEXT',
  test_id: 'TEST_ID',
  deep_css: 'DEEP_CSS',
  selector: 'DEEP_CSS',
};

/** A locator as messages name it: `css "#mail"`. */
export function nameOf(locator: Locator): string {
  return `${locator.strategy} "${locator.value}"`;
}

/** The locator of a selector: CSS, or one that names its engine, such as `label=Mail` or `form >> text=Save`. */
export function locatorFor(selector: string): Locator {
  const { parts } = parseSelector(selector);
  const [part] = parts;
  if (part === undefined || parts.length > 1) return { strategy: 'selector', value: selector };
  const { engine, body } = part;
  if (engine === 'css') return { strategy: 'css', value: body };
  const strategy = strategyOf(engine);
  // Engines that Playwright has under the same name are left to it.
  return strategy === undefined || engine === 'id' || engine === 'text'
    ? { strategy: 'selector', value: selector }
    : { strategy, value: body };
}

/** A locator as one text: `id=mail` where the value alone does not say what it is. */
export function oneText({ strategy, value }: Locator): string {
  return named.has(strategy) ? `${strategy}=${value}` : value;
}

const named: ReadonlySet<Strategy> = new Set<Strategy>([
  ...(['id', 'name', 'class', 'link', 'partial-link', 'label', 'placeholder', 'text', 'test_id'] as const),
]);
