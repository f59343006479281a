import { isObject } from '#schemas/types/json.ts';
import { elementFactsDiffer } from '#schemas/generated/failures.ts';

import type { Scope, WebDriverSession, WebElement } from '../../engines/webdriver/port.ts';
import { compareFacts } from '../compare-facts.ts';

const scrolled = `
arguments[0].scrollIntoView({ block: 'start' });
const { x, y } = arguments[0].getBoundingClientRect();
return { x: Math.round(x), y: Math.round(y) };`;

type Read = (element: WebElement, expected: unknown) => Promise<unknown>;

/** Facts that can be asked of an element; the declaration lets no other names through. */
const facts: Readonly<Record<string, Read>> = {
  tag_name: (element) => element.getTagName(),
  text: (element) => element.getText(),
  size: async (element) => {
    const { width, height } = await element.getRect();
    return { width, height };
  },
  location: async (element) => {
    const { x, y } = await element.getRect();
    return { x: Math.round(x), y: Math.round(y) };
  },
  location_once_scrolled_into_view: (element) => element.getDriver().executeScript(scrolled, element),
  id: (element) => element.getId(),
  displayed: (element) => element.isDisplayed(),
  enabled: (element) => element.isEnabled(),
  selected: (element) => element.isSelected(),
  attributes: readAttributes,
};

/** Fails with every fact that is not as expected. */
export function checkElement(
  session: WebDriverSession,
  scope: Scope,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  return session.element(scope, async (element, { name: selector }) => {
    const differing = await compareFacts(expected, async (name) => facts[name]?.(element, expected[name]));
    if (differing) throw elementFactsDiffer({ selector, ...differing });
  });
}

/** Only the attributes that are compared, as the markup has them. */
async function readAttributes(element: WebElement, expected: unknown): Promise<unknown> {
  const actual: Record<string, unknown> = {};
  if (!isObject(expected)) return actual;
  for (const name of Object.keys(expected)) actual[name] = await element.getDomAttribute(name);
  return actual;
}
