import type { Base } from '#runtime/kernel/ports.ts';

import { askPage } from './page-scripts.ts';
import type { PageScripts } from './page-scripts.ts';

/** Whether what has the focus is a password field, in open shadow trees and frames of the same site too. */
export async function isPasswordFocused(page: PageScripts, scope: Pick<Base, 'signal'>): Promise<boolean> {
  const found = await askPage(
    page,
    scope,
    `
let at = document.activeElement;
for (;;) {
  const inner = at && ((at.shadowRoot && at.shadowRoot.activeElement) || (at.contentDocument && at.contentDocument.activeElement));
  if (!inner) return Boolean(at && at.type === 'password');
  at = inner;
}`,
  );
  return found === true;
}
