import { isObject } from '#schemas/types/json.ts';
import { elementFactsDiffer } from '#schemas/generated/failures.ts';

import type { Scope, WebDriverSession, WebElement } from '../../engines/webdriver/port.ts';
import { compareFacts, doubtIn } from '../compare-facts.ts';

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

/** Facts that an element has as long as it is there. */
const fixed: ReadonlySet<string> = new Set(['tag_name', 'id']);

/** Waits until all facts are as expected, else fails with every one that is not. */
export async function checkElement(
  session: WebDriverSession,
  scope: Scope,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  let selector = '';
  const settled = await session.settled(scope, () =>
    session.element(scope, async (element, { name }) => {
      selector = `${name}${session.framed}`;
      return doubtIn(await compareFacts(expected, async (fact) => facts[fact]?.(element, expected[fact])), fixed);
    }),
  );
  if (settled) throw elementFactsDiffer({ selector, seconds: settled.seconds, ...settled.wrong });
}

/** Only the attributes that are compared, as the markup has them. */
async function readAttributes(element: WebElement, expected: unknown): Promise<unknown> {
  const actual: Record<string, unknown> = {};
  if (!isObject(expected)) return actual;
  for (const name of Object.keys(expected)) actual[name] = await element.getDomAttribute(name);
  return actual;
}
