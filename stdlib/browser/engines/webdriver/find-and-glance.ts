import type { WebDriver, WebElement } from 'selenium-webdriver';

import { everyCheck, fieldTypeIn, notReady, readiness } from '../page/readiness.ts';
import type { Locator } from '../test-objects/locator.ts';
import { pageForm, wireForm } from '../test-objects/wire-forms.ts';

/** First match of a locator, and facts about it where it is ready for any action. */
export interface Hit {
  readonly element: WebElement;
  readonly ready: { readonly fieldType: string } | undefined;
}

/** Ways in which a page itself finds the first match of `value`. */
const ways = {
  'css selector': 'document.querySelector(value)',
  'tag name': 'document.getElementsByTagName(value)[0]',
  xpath: 'document.evaluate(value, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue',
  page: "window[Symbol.for('svc.locators')].all(value)[0]",
} as const;

/**
 * Finds the first match and looks at it, in one call where finding and looking would be two. Undefined where the page
 * finds nothing, or cannot say: then the driver is asked, which waits for it or knows what is wrong.
 */
export async function findAndGlance(driver: WebDriver, locator: Locator): Promise<Hit | undefined> {
  const inPage = pageForm(locator);
  const { using, value } = inPage === undefined ? wireForm(locator) : { using: 'page' as const, value: inPage };
  // Drivers read the text of links as it is shown, by rules of their own.
  if (using === 'link text' || using === 'partial link text') return undefined;
  const answer = await driver.executeScript<unknown[] | null>(asking(ways[using]), value, everyCheck).catch(whenBroken);
  if (!answer) return undefined;
  const [element, state] = answer as [WebElement, unknown];
  return { element, ready: notReady(state) ? undefined : { fieldType: fieldTypeIn(state) } };
}

function asking(way: string): string {
  return `const [value, checks] = arguments;
let element;
try { element = ${way}; } catch {}
return element instanceof Element ? Promise.all([element, (${readiness})(element, checks, true)]) : null;`;
}

/** Scripts of a page may have broken what ours needs. */
function whenBroken(error: unknown): undefined {
  if (error instanceof Error && error.name === 'JavascriptError') return undefined;
  throw error;
}
