import type { Base } from '#runtime/kernel/ports.ts';

import { askPage } from './page-scripts.ts';
import type { PageScripts } from './page-scripts.ts';

type Scope = Pick<Base, 'signal'>;

/**
 * Deletes all caches of the page's site; yields their names. None where the page has no caches, as on an insecure site.
 */
export async function clearCaches(page: PageScripts, scope: Scope): Promise<readonly string[]> {
  const names = await askPage(
    page,
    scope,
    `if (typeof caches === 'undefined') return [];
const names = await caches.keys();
await Promise.all(names.map((name) => caches.delete(name)));
return names.sort();`,
  );
  return Array.isArray(names) ? names.map(String) : [];
}

/** Ends all registrations of the page's site; yields for each whether it was ended. */
export async function unregisterWorkers(page: PageScripts, scope: Scope): Promise<readonly boolean[]> {
  const ended = await askPage(
    page,
    scope,
    `if (!navigator.serviceWorker) return [];
const registrations = await navigator.serviceWorker.getRegistrations();
return Promise.all(registrations.map((registration) => registration.unregister()));`,
  );
  return Array.isArray(ended) ? ended.map(Boolean) : [];
}
