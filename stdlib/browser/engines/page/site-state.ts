import type { Base } from '#runtime/kernel/ports.ts';
import { isOrigin } from '#stdlib/http/state-file.ts';
import type { StateOrigin, StorageState } from '#stdlib/http/state-file.ts';

import { askPage } from './page-scripts.ts';
import type { PageScripts } from './page-scripts.ts';

/** Local storage of the current page's site; none where the page has no site. */
export async function originOf(page: PageScripts, scope: Pick<Base, 'signal'>): Promise<readonly StateOrigin[]> {
  const answer = await askPage(page, scope, reading);
  return isOrigin(answer) && answer.localStorage.length > 0 ? [answer] : [];
}

/** Replaces the local storage of the current page's site where the state holds some of it. */
export async function restoreOrigin(
  page: PageScripts,
  scope: Pick<Base, 'signal'>,
  { origins }: StorageState,
): Promise<void> {
  const plain = origins.map(({ origin, localStorage }) => ({
    origin,
    localStorage: localStorage.map(({ name, value }) => ({ name, value })),
  }));
  await askPage(page, scope, writing, [plain]);
}

const reading = `
if (location.origin === 'null') return null;
return { origin: location.origin, localStorage: Object.keys(localStorage).sort().map((name) => ({ name, value: localStorage.getItem(name) })) };`;

const writing = `
const own = arguments[0].find(({ origin }) => origin === location.origin);
if (!own) return null;
localStorage.clear();
for (const { name, value } of own.localStorage) localStorage.setItem(name, value);
return null;`;
