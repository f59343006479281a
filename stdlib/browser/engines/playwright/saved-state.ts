import type { BrowserContext, Page } from 'playwright-core';

/**
 * Remembers pages, address and cookies of a context; what it yields closes pages that were opened since, and brings address
 * and cookies back. What pages store themselves stays. It yields whether the page is still the same one.
 */
export async function saveContext(context: BrowserContext, page: Page): Promise<() => Promise<boolean>> {
  const pages = context.pages();
  const address = page.url();
  const cookies = await context.cookies();
  return async () => {
    for (const opened of context.pages()) if (!pages.includes(opened)) await opened.close();
    if (page.isClosed()) throw new Error('the page that setup had chosen was closed');
    await context.clearCookies();
    if (cookies.length > 0) await context.addCookies(cookies);
    const isSame = page.url() === address;
    if (!isSame) await page.goto(address);
    return isSame;
  };
}
