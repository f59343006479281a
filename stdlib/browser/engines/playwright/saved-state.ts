import type { BrowserContext, Page } from 'playwright-core';

import type { PageScripts } from '../page/page-scripts.ts';
import { restoreFields, restoreStores, savePage } from '../page/saved-page.ts';

/** Place to which a state is brought back: the context and page that it was taken of, or new ones. */
export interface Restored {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly inPage: PageScripts;
}

type Scope = () => { readonly signal: AbortSignal };

/**
 * Remembers pages, address, cookies and what sites store; what it yields closes pages that were opened since, and
 * brings the rest back, with what was typed and chosen where the document is the same. It yields whether it is.
 * `script` runs scripts at the top of the page.
 */
export async function saveContext(
  saved: BrowserContext,
  shown: Page,
  script: PageScripts,
  scope: Scope,
): Promise<(at: Restored) => Promise<boolean>> {
  const pages = saved.pages();
  const address = shown.url();
  const state = await saved.storageState({ indexedDB: true });
  const stores = await savePage(script, scope());
  return async ({ context, page, inPage }) => {
    for (const opened of context.pages()) if (opened !== page && !pages.includes(opened)) await opened.close();
    if (page.isClosed()) throw new Error('the page that setup had chosen was closed');
    const isSame = page.url() === address && (await restoreFields(inPage, scope()));
    // A page that holds a database open would keep it from being made anew.
    if (!isSame) await page.goto('about:blank');
    await context.setStorageState(state);
    if (!isSame) await page.goto(address);
    const isChanged = await restoreStores(inPage, scope(), stores);
    if (isChanged && !isSame) await page.reload();
    return isSame;
  };
}
