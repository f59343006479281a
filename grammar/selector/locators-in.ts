/** Language of the strategies that have one. */
export const strategyEngines: Readonly<Record<string, string>> = {
  css: 'css',
  css_selector: 'css',
  deep_css: 'css',
  label: 'label',
  placeholder: 'placeholder',
  role: 'role',
  test_id: 'test_id',
  text: 'text',
};

/** A locator inside a value: `{ css: "#total" }` or `[css_selector, "#total"]`. */
export interface PlacedLocator {
  readonly strategy: string;
  readonly text: string;
  /** Way from the value to the text. */
  readonly inside: readonly (string | number)[];
}

/** Locators that a value holds, however deep; only those whose strategy has a language. */
export function locatorsIn(value: unknown, inside: readonly (string | number)[] = []): readonly PlacedLocator[] {
  if (Array.isArray(value)) {
    const [strategy, text] = value as readonly unknown[];
    if (value.length === 2 && isStrategy(strategy) && typeof text === 'string')
      return [{ strategy, text, inside: [...inside, 1] }];
    return value.flatMap((part, index) => locatorsIn(part, [...inside, index]));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) =>
    isStrategy(key) && typeof part === 'string'
      ? [{ strategy: key, text: part, inside: [...inside, key] }]
      : locatorsIn(part, [...inside, key]),
  );
}

function isStrategy(word: unknown): word is string {
  return typeof word === 'string' && Object.hasOwn(strategyEngines, word.toLowerCase());
}
