import { parseSelector } from '#grammar/selector/parse.ts';
import { engineText, matched } from '#grammar/selector/print.ts';

import type { Locator } from './locator.ts';

/** The strategies that the WebDriver protocol knows. */
export interface WireLocator {
  readonly using: 'css selector' | 'xpath' | 'link text' | 'partial link text' | 'tag name';
  readonly value: string;
}

/**
 * The selector that the script for pages reads, of a locator that the WebDriver protocol does not know; undefined for
 * the others. The second engine takes the same text.
 */
export function pageForm({ strategy, value }: Locator): string | undefined {
  switch (strategy) {
    case 'role':
    case 'label':
    case 'placeholder':
    case 'test_id':
    case 'deep_css':
      return engineText({ engine: strategy, body: value, captured: false });
    case 'text':
      return `internal:text=${matched(value)}`;
    case 'selector':
      return inLibraryForm(value);
    case 'id':
    case 'name':
    case 'class':
    case 'css':
    case 'tag':
    case 'xpath':
    case 'link':
    case 'partial-link':
      return undefined;
  }
}

/**
 * A selector of users with the engines of ours made those of Playwright; what it knows itself stays as it is written.
 */
export function inLibraryForm(selector: string): string {
  const { parts } = parseSelector(selector);
  if (parts.every(({ engine }) => !own.has(engine))) return selector;
  return parts
    .map((part) => (own.has(part.engine) ? engineText(part) : selector.slice(part.from, part.to)))
    .join(' >> ');
}

const own: ReadonlySet<string> = new Set(['label', 'placeholder', 'test_id', 'deep_css']);

/**
 * Locator as a driver gets it: id, name and class travel as attribute selectors, so that any value can stand in
 * them.
 */
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
    default:
      throw new TypeError(`"${strategy}" is looked for by a script, not by the driver`);
  }
}

/** The same locator as a selector of the second engine. */
export function selectorForm(locator: Locator): string {
  const { strategy, value } = locator;
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
    // Both mean links, by text in whatever elements inside, as WebDriver does. `:text-is()` would take the innermost
    // element of a text, `:has-text()` any letter case.
    case 'link':
      return `a >> internal:has-text=${JSON.stringify(value)}s`;
    case 'partial-link':
      return `a >> internal:has-text=/${patternOf(value)}/`;
    default:
      return pageForm(locator) ?? value;
  }
}

/** A pattern for a text, with white space of any kind and length where it has some. */
function patternOf(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/"'`>]/g, '\\$&').replace(/\s+/g, '\\s+');
}

function attribute(name: string, operator: '=' | '~=', value: string): string {
  return `[${name}${operator}${quoted(value)}]`;
}

/** A CSS string: quotes, backslashes and control characters escaped. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, (found) => `\\${found.charCodeAt(0).toString(16)} `)}"`;
}
