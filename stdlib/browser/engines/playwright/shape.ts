import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { deviceUnknown, pageSettingRefused } from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import { reasonOf } from './failure-of.ts';
import { plain } from './plain.ts';
import type { Shape } from './port.ts';

/** Names that a message shows. */
const shown = 5;

/** Names of all devices that can be imitated, sorted. */
export async function deviceNames(): Promise<readonly string[]> {
  return Object.keys((await import('playwright-core')).devices).toSorted();
}

/** Fails on what no browser would take, so that nothing is lost for it. */
export async function checkShape({ device, locale, timezone }: Shape): Promise<void> {
  if (device !== undefined && !(await deviceNames()).includes(device))
    throw deviceUnknown({ name: device, known: nearest(device, await deviceNames()).join(', ') });
  if (timezone !== undefined)
    refuseUnless('time zone', timezone, () => new Intl.DateTimeFormat('en', { timeZone: timezone }));
  if (locale !== undefined) refuseUnless('locale', locale, () => Intl.getCanonicalLocales(locale));
}

/** A context of this shape with one page, which holds cookies and storage of the one before. `size`: of the page. */
export async function shapedContext(
  browser: Browser,
  { shape, size }: { readonly shape: Shape; readonly size: ReturnType<Page['viewportSize']> },
  before: BrowserContext,
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const storageState = await before.storageState({ indexedDB: true });
  const context = await browser.newContext({ ...(await optionsOf(shape)), storageState }).catch(refused);
  try {
    const page = await context.newPage().catch(refused);
    if (size) await page.setViewportSize(size);
    return { context, page };
  } catch (error) {
    await context.close();
    throw error;
  }
}

async function optionsOf(shape: Shape): Promise<BrowserContextOptions> {
  const { device, locale, acceptLanguage, timezone, archive } = shape;
  const { defaultBrowserType: _, ...imitated } =
    device === undefined
      ? { defaultBrowserType: undefined }
      : ((await import('playwright-core')).devices[device] ?? { defaultBrowserType: undefined });
  return {
    ...imitated,
    ...(locale === undefined ? {} : { locale }),
    ...(acceptLanguage === undefined ? {} : { extraHTTPHeaders: { 'Accept-Language': acceptLanguage } }),
    ...(timezone === undefined ? {} : { timezoneId: timezone }),
    ...(archive ? { recordHar: archive } : {}),
  };
}

function refuseUnless(setting: string, value: string, check: () => unknown): void {
  try {
    check();
  } catch (cause) {
    throw pageSettingRefused({ setting, value, reason: 'there is no such name', cause });
  }
}

function refused(error: unknown): never {
  const cause = plain(error);
  if (cause instanceof Failure || !(cause instanceof Error) || !/support|invalid|unknown/i.test(cause.message))
    throw cause;
  throw pageSettingRefused({
    setting: 'emulation',
    value: reasonOf(cause),
    reason: 'this browser does not know it',
    cause,
  });
}

/** Names with most of the same words first. */
function nearest(name: string, names: readonly string[]): readonly string[] {
  const words = name.toLowerCase().split(/\W+/);
  const score = (known: string): number =>
    words.filter((word) => word !== '' && known.toLowerCase().includes(word)).length;
  return names.toSorted((one, other) => score(other) - score(one)).slice(0, shown);
}
