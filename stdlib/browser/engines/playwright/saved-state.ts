import type { BrowserContext, Page } from 'playwright-core';

import type { PageScripts } from '../page/page-scripts.ts';
import { restoreFields, restoreStores, savePage } from '../page/saved-page.ts';

type Scope = () => { readonly signal: AbortSignal };

/**
 * Remembers pages, address, cookies and what sites store; what it yields closes pages that were opened since, and
 * brings the rest back, with what was typed and chosen where the document is the same. It yields whether it is.
 * `inPage` runs scripts at the top of the page.
 */
export async function saveContext(
  context: BrowserContext,
  page: Page,
  inPage: PageScripts,
  scope: Scope,
): Promise<() => Promise<boolean>> {
  const pages = context.pages();
  const address = page.url();
  const state = await context.storageState({ indexedDB: true });
  const saved = await savePage(inPage, scope());
  return async () => {
    for (const opened of context.pages()) if (!pages.includes(opened)) await opened.close();
    if (page.isClosed()) throw new Error('the page that setup had chosen was closed');
    const isSame = page.url() === address && (await restoreFields(inPage, scope()));
    // A page that holds a database open would keep it from being made anew.
    if (!isSame) await page.goto('about:blank');
    await context.setStorageState(state);
    if (!isSame) await page.goto(address);
    const isChanged = await restoreStores(inPage, scope(), saved);
    if (isChanged && !isSame) await page.reload();
    return isSame;
  };
}
