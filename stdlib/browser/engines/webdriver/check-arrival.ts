import type { WebDriver } from 'selenium-webdriver';

import { addressUnusable } from '#schemas/generated/failures.ts';

import { unreachable } from '../shared/unreachable.ts';

/** Chromium's own page in the place of one that it could not fetch tells its reason. */
const script =
  'return [location.protocol, location.protocol === "chrome-error:" ? document.querySelector(".error-code")?.textContent ?? "" : ""]';

/**
 * The driver reports most pages that could not be fetched, but not all: blocked ports, schemes that the browser hands
 * to the system. A step must not pass on the browser's error page, or on the page that was there before.
 */
export async function checkArrival(driver: WebDriver, address: string): Promise<void> {
  const [protocol, reason] = await driver.executeScript<[string, string]>(script);
  const asked = new URL(address).protocol;
  if (asked !== protocol && !fetched.includes(asked)) throw addressUnusable({ url: address });
  if (protocol === 'chrome-error:')
    throw unreachable(address, reason === '' ? 'the browser shows its error page' : reason);
}

/** Schemes whose pages may end at another one, or at the error page. */
const fetched = ['http:', 'https:', 'file:', 'view-source:'];
