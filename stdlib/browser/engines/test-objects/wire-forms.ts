import type { Locator } from './locator.ts';

/** The strategies that the WebDriver protocol knows. */
export interface WireLocator {
  readonly using: 'css selector' | 'xpath' | 'link text' | 'partial link text' | 'tag name';
  readonly value: string;
}

/** What a driver is sent: id, name and class travel as attribute selectors, so that any value can stand in them. */
export function wireForm({ strategy, value }: Locator): WireLocator {
  switch (strategy) {
    case 'id':
      return { using: 'css selector', value: attribute('id', '=', value) };
    case 'name':
      return { using: 'css selector', value: attribute('name', '=', value) };
    case 'class':
      return { using: 'css selector', value: attribute('class', '~=', value) };
    case 'css':
      return { using: 'css selector', value };
    case 'xpath':
      return { using: 'xpath', value };
    case 'tag':
      return { using: 'tag name', value };
    case 'link':
      return { using: 'link text', value };
    case 'partial-link':
      return { using: 'partial link text', value };
  }
}

/** The same locator as a selector of the second engine. */
export function selectorForm({ strategy, value }: Locator): string {
  switch (strategy) {
    case 'id':
      return attribute('id', '=', value);
    case 'name':
      return attribute('name', '=', value);
    case 'class':
      return attribute('class', '~=', value);
    case 'css':
    case 'tag':
      return value;
    case 'xpath':
      return `xpath=${value}`;
    // `:has-text()` alone matches the outermost element, `text=` any element: both strategies mean links only.
    case 'link':
      return `a:text-is(${quoted(value)})`;
    case 'partial-link':
      return `a:has-text(${quoted(value)})`;
  }
}

function attribute(name: string, operator: '=' | '~=', value: string): string {
  return `[${name}${operator}${quoted(value)}]`;
}

/** A CSS string: quotes, backslashes and control characters escaped. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, (found) => `\\${found.charCodeAt(0).toString(16)} `)}"`;
}
