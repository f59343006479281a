import type { WebDriver } from 'selenium-webdriver';

import { addressUnusable } from '#schemas/generated/failures.ts';

import { unreachable } from '../shared/unreachable.ts';

/** Chromium's own page in the place of one that it could not fetch tells its reason, and its age (ms). */
const script =
  'return [location.protocol, location.protocol === "chrome-error:" ? document.querySelector(".error-code")?.textContent ?? "" : "", performance.now()]';

/**
 * The driver reports most pages that could not be fetched, but not all: blocked ports, schemes that the browser hands
 * to the system. A step must not pass on the browser's error page, or on the page that was there before. An error page
 * that is older than the opening, `begun` (monotonic, ms), tells of another address: what came now was no page but a
 * download, or nothing.
 */
export async function checkArrival(
  driver: WebDriver,
  address: string,
  { begun, now }: { readonly begun: number; readonly now: () => number },
): Promise<void> {
  const [protocol, reason, age] = await driver.executeScript<[string, string, number]>(script);
  if (protocol === 'chrome-error:' && age > now() - begun) return;
  const asked = new URL(address).protocol;
  if (asked !== protocol && !fetched.includes(asked)) throw addressUnusable({ url: address });
  if (protocol === 'chrome-error:')
    throw unreachable(address, reason === '' ? 'the browser shows its error page' : reason);
}

/** Schemes whose pages may end at another one, or at the error page. */
const fetched = ['http:', 'https:', 'file:', 'view-source:'];
