import type { WebDriver, WebElement } from 'selenium-webdriver';

import { isObject } from '#schemas/types/json.ts';

/**
 * Result of an earlier look that was left in the document; null where there is none. Elements, or what is wrong
 * with the selector.
 */
const asking = `
const engine = window[Symbol.for('svc.locators')];
if (!engine) return null;
try { return engine.all(arguments[0]); }
catch (error) { return { reason: String((error && error.message) || error) }; }`;

/**
 * All elements that a selector of Playwright's form finds in the current page, or frame, in its order, open shadow
 * trees included. A document gets the script once.
 */
export async function queryPage(driver: WebDriver, selector: string): Promise<readonly WebElement[]> {
  const answer = (await driver.executeScript(asking, selector)) ?? (await sendAndAsk(driver, selector));
  if (Array.isArray(answer)) return answer as WebElement[];
  throw new InvalidSelector(isObject(answer) ? String(answer['reason']) : 'the page gave no answer');
}

async function sendAndAsk(driver: WebDriver, selector: string): Promise<unknown> {
  const { pageLocators } = await import('#schemas/generated/page-locators.ts');
  return driver.executeScript(`${pageLocators}\n${asking}`, selector);
}

/** Named as the driver names its own error. */
class InvalidSelector extends Error {
  override readonly name = 'InvalidSelectorError';
}
