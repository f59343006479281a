import type { WebDriver, WebElement } from 'selenium-webdriver';

import { browserWindowUnknown } from '#schemas/generated/failures.ts';

export async function isFrame(element: WebElement): Promise<boolean> {
  return ['iframe', 'frame'].includes((await element.getTagName()).toLowerCase());
}

/** The handle of the window that its page gave this name. Fails with the current window unchanged. */
export async function windowNamed(driver: WebDriver, name: string, handles: readonly string[]): Promise<string> {
  const before = await driver.getWindowHandle().catch(() => undefined);
  for (const handle of handles) {
    await driver.switchTo().window(handle);
    if ((await driver.executeScript('return window.name')) === name) return handle;
  }
  if (before !== undefined) await driver.switchTo().window(before);
  throw browserWindowUnknown({ name, count: handles.length });
}
