import type { WebDriver } from 'selenium-webdriver';

import type { JsonObject } from '#schemas/types/json.ts';

/** Calls of the debugging protocol; absent where the browser does not speak it. */
type Protocol = ((method: string, params: JsonObject) => Promise<unknown>) | undefined;

interface Cookies {
  readonly cookies: readonly JsonObject[];
}

/**
 * Remembers windows, address and cookies of a session; what it yields closes windows that were opened since, and brings
 * address and cookies back. Without the debugging protocol cookies are those of the page that is shown. What pages store
 * themselves stays. It yields whether the page is still the same one.
 */
export async function saveBrowser(driver: WebDriver, protocol: Protocol): Promise<() => Promise<boolean>> {
  const windows = await driver.getAllWindowHandles();
  const current = await driver.getWindowHandle();
  const address = await driver.getCurrentUrl();
  const restoreCookies = await saveCookies(driver, protocol);
  return async () => {
    await dismissDialog(driver);
    for (const handle of await driver.getAllWindowHandles()) {
      if (windows.includes(handle)) continue;
      await driver.switchTo().window(handle);
      await driver.close();
    }
    if (!(await driver.getAllWindowHandles()).includes(current))
      throw new Error('the window that setup had chosen was closed');
    await driver.switchTo().window(current);
    const isSame = (await driver.getCurrentUrl()) === address;
    if (!isSame) await driver.get(address);
    await restoreCookies();
    return isSame;
  };
}

async function saveCookies(driver: WebDriver, protocol: Protocol): Promise<() => Promise<void>> {
  if (protocol) {
    const { cookies } = (await protocol('Network.getAllCookies', {})) as Cookies;
    return async () => {
      await protocol('Network.clearBrowserCookies', {});
      if (cookies.length > 0) await protocol('Network.setCookies', { cookies });
    };
  }
  const cookies = await driver.manage().getCookies();
  return async () => {
    await driver.manage().deleteAllCookies();
    for (const { name, value, ...rest } of cookies) await driver.manage().addCookie({ name, value, ...rest });
  };
}

async function dismissDialog(driver: WebDriver): Promise<void> {
  await driver
    .switchTo()
    .alert()
    .then(
      (dialog) => dialog.dismiss(),
      // Mostly there is none.
      () => undefined,
    );
}
