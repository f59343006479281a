import type { WebDriver } from 'selenium-webdriver';

import type { JsonObject } from '#schemas/types/json.ts';

import type { PageScripts } from '../page/page-scripts.ts';
import { restoreFields, restoreStores, savePage } from '../page/saved-page.ts';

/** Calls of the debugging protocol; absent where the browser does not speak it. */
type Protocol = ((method: string, params: JsonObject) => Promise<unknown>) | undefined;

interface Cookies {
  readonly cookies: readonly JsonObject[];
}

/**
 * Remembers windows, address and cookies of a session; what it yields closes windows that were opened since, and brings
 * address, cookies, and what the page's site stores back, with what was typed and chosen where the document is the
 * same; sites that setup had not seen forget what they store. Without the debugging protocol cookies are those of the
 * page that is shown, and other sites keep what they have. It yields whether the document is still the same one.
 */
export async function saveBrowser(
  driver: WebDriver,
  protocol: Protocol,
  inPage: PageScripts,
  scope: () => { readonly signal: AbortSignal },
): Promise<() => Promise<boolean>> {
  const windows = await driver.getAllWindowHandles();
  const current = await driver.getWindowHandle();
  const address = await driver.getCurrentUrl();
  const restoreCookies = await saveCookies(driver, protocol);
  const origins = await visited(driver, protocol);
  const saved = await savePage(inPage, scope());
  return async () => {
    await dismissDialog(driver);
    const seen: string[] = [];
    for (const handle of await driver.getAllWindowHandles()) {
      if (windows.includes(handle)) continue;
      await driver.switchTo().window(handle);
      seen.push(...(await visited(driver, protocol)));
      await driver.close();
    }
    if (!(await driver.getAllWindowHandles()).includes(current))
      throw new Error('the window that setup had chosen was closed');
    await driver.switchTo().window(current);
    seen.push(...(await visited(driver, protocol)));
    const isSame = (await driver.getCurrentUrl()) === address && (await restoreFields(inPage, scope()));
    await restoreCookies();
    if (!isSame) await driver.get(address);
    await forget(
      seen.filter((origin) => !origins.has(origin)),
      protocol,
    );
    const isChanged = await restoreStores(inPage, scope(), saved);
    if (isChanged && !isSame) await driver.navigate().refresh();
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

/** Origins that the windows have shown, as their histories tell; none where the browser does not say. */
async function visited(driver: WebDriver, protocol: Protocol): Promise<ReadonlySet<string>> {
  if (!protocol) return new Set();
  const { entries } = (await protocol('Page.getNavigationHistory', {})) as {
    readonly entries: readonly { url: string }[];
  };
  const origins = [...entries.map(({ url }) => url), await driver.getCurrentUrl()].map((url) => new URL(url).origin);
  return new Set(origins.filter((origin) => origin !== 'null'));
}

async function forget(origins: Iterable<string>, protocol: Protocol): Promise<void> {
  for (const origin of origins)
    await protocol?.('Storage.clearDataForOrigin', {
      origin,
      storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
    });
}
