import type { Base } from '#runtime/kernel/ports.ts';
import { databaseNotDeleted, pageWithoutStorage, storageRefused } from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';

import { askPage } from './page-scripts.ts';
import type { PageError, PageScripts } from './page-scripts.ts';

/** The two stores of a page's origin: one for the origin, one for the tab. */
export type StorageArea = 'localStorage' | 'sessionStorage';
type Scope = Pick<Base, 'signal' | 'mask'>;

/** The masker does not look for shorter texts. */
const shortestSecret = 4;
/** Milliseconds for which a deletion waits for connections of the page to be closed. */
const blockedMs = 3000;
/** Longest time (ms) of a deletion. One that stands behind other requests of the page hears of nothing. */
const deletionMs = 10_000;

export async function allEntries(
  page: PageScripts,
  scope: Scope,
  area: StorageArea,
): Promise<Readonly<Record<string, string>>> {
  const answer = await ask(page, scope, listing, [area]);
  const entries = (Array.isArray(answer) ? answer : []).map((entry: unknown) => {
    const [key, value] = entry as readonly [string, string];
    return [key, value] as const;
  });
  for (const [key, value] of entries) hideSecret(scope, key, value);
  return Object.fromEntries(entries);
}

/** Null where the store has no such entry. */
export async function readEntry(
  page: PageScripts,
  scope: Scope,
  area: StorageArea,
  key: string,
): Promise<string | null> {
  const value = await ask(page, scope, 'return window[arguments[0]].getItem(arguments[1])', [area, key]);
  if (typeof value !== 'string') return null;
  hideSecret(scope, key, value);
  return value;
}

/** Replaces what was there. Fails where the store is full. */
export async function writeEntry(
  page: PageScripts,
  scope: Scope,
  area: StorageArea,
  { key, value }: { readonly key: string; readonly value: string },
): Promise<void> {
  hideSecret(scope, key, value);
  await ask(page, scope, 'window[arguments[0]].setItem(arguments[1], arguments[2])', [area, key, value], (error) =>
    error.name === 'QuotaExceededError' ? storageRefused({ key, reason: error.message }) : undefined,
  );
}

export async function removeEntry(page: PageScripts, scope: Scope, area: StorageArea, key: string): Promise<void> {
  await ask(page, scope, 'window[arguments[0]].removeItem(arguments[1])', [area, key]);
}

export async function clearEntries(page: PageScripts, scope: Scope, area: StorageArea): Promise<void> {
  await ask(page, scope, 'window[arguments[0]].clear()', [area]);
}

/**
 * Deletes an indexed database and waits for it. One that does not exist is deleted already; one that stays open is a
 * failure.
 */
export async function dropDatabase(page: PageScripts, scope: Scope, name: string): Promise<void> {
  const outcome = await ask(page, scope, dropping, [name, blockedMs, deletionMs]);
  if (outcome !== 'deleted') throw databaseNotDeleted({ name, reason: String(outcome) });
}

/** Script that lists entries by number: one may have the name of a method. */
const listing = `
const found = window[arguments[0]];
return Array.from(found, (_, index) => found.key(index)).sort().map((key) => [key, found.getItem(key)]);`;

const dropping = `
const [name, patience, limit] = arguments;
return new Promise((resolve) => {
  const request = indexedDB.deleteDatabase(name);
  request.onsuccess = () => resolve('deleted');
  request.onerror = () => resolve(String(request.error && request.error.message));
  request.onblocked = () => setTimeout(() => resolve('a connection to it is still open after ' + patience / 1000 + ' s'), patience);
  setTimeout(() => resolve('it still waits for other requests of the page after ' + limit / 1000 + ' s'), limit);
});`;

function ask(
  page: PageScripts,
  scope: Scope,
  body: string,
  args: readonly (string | number)[],
  failed: (error: PageError) => Failure | undefined = () => undefined,
): Promise<unknown> {
  return askPage(page, scope, body, args, (error) => failed(error) ?? pageWithoutStorage({ reason: error.message }));
}

/** Entries whose names tell (a token, a session, a password) and signed tokens are hidden from then on. */
function hideSecret(scope: Scope, key: string, value: string): void {
  if (value.length < shortestSecret) return;
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  if (isSecretKey(words) || /(?:^|_)(?:session|jwt|bearer)(?:_|$)/i.test(words) || /^eyJ[\w-]+\./.test(value))
    scope.mask(value);
}
