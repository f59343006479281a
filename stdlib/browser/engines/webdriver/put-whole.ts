import type { WebElement } from 'selenium-webdriver';

import { elementNotReady } from '#schemas/generated/failures.ts';

import { droppedValue, setWhole } from '../page/whole-value.ts';

/** Makes a text the value of a field that takes one as a whole. Fails where the field takes it for no value. */
export async function putWhole(
  element: WebElement,
  { type, text, name }: { readonly type: string; readonly text: string; readonly name: string },
): Promise<void> {
  const script = `return (${setWhole})(arguments[0], arguments[1])`;
  const value = await element.getDriver().executeScript<string>(script, element, text);
  if (value === '') throw elementNotReady({ selector: name, reason: droppedValue(type, text) });
}
