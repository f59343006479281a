import type { Base } from '#runtime/kernel/ports.ts';
import { storageStateUnfit } from '#schemas/generated/failures.ts';
import { isList, isObject } from '#schemas/types/json.ts';

import { askPage } from './page-scripts.ts';
import type { PageScripts } from './page-scripts.ts';

/**
 * A cookie of any site, in the words of the second engine; `expires` in seconds since 1970, -1 for one of the browser
 * session.
 */
export interface StateCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
}

interface StateOrigin {
  readonly origin: string;
  readonly localStorage: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Cookies and local storage, in the form in which Playwright keeps them, so that either engine reads what the other has
 * written.
 */
export interface StorageState {
  readonly cookies: readonly StateCookie[];
  readonly origins: readonly StateOrigin[];
}

/** Number of cookies, and of sites with local storage, that a file holds. */
export function countsOf({ cookies, origins }: StorageState): { readonly cookies: number; readonly origins: number } {
  return { cookies: cookies.length, origins: origins.length };
}

export function stateText({ cookies, origins }: StorageState): string {
  return `${JSON.stringify({ cookies, origins }, undefined, 2)}\n`;
}

/** Fails on a text that holds no state. All values are masked from now on in everything that is written. */
export function readState(text: string, path: string, scope: Pick<Base, 'mask'>): StorageState {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch (cause) {
    throw storageStateUnfit({ path, reason: 'it is no JSON', cause });
  }
  if (!isObject(state)) throw storageStateUnfit({ path, reason: 'it holds no object' });
  const cookies = listOf(state['cookies'], isCookie);
  if (!cookies)
    throw storageStateUnfit({ path, reason: '"cookies" must be a list of objects with name, value, domain and path' });
  const origins = listOf(state['origins'], isOrigin);
  if (!origins)
    throw storageStateUnfit({ path, reason: '"origins" must be a list of objects with origin and localStorage' });
  const read = { cookies: cookies.map(wholeCookie), origins };
  hideValues(read, scope);
  return read;
}

/** Masks all values of cookies and stores: sessions stand there. */
export function hideValues({ cookies, origins }: StorageState, scope: Pick<Base, 'mask'>): void {
  for (const { value } of cookies) scope.mask(value);
  for (const { localStorage } of origins) for (const { value } of localStorage) scope.mask(value);
}

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

/** The list where each of it fits; none where nothing is said. */
function listOf<T>(value: unknown, fits: (value: unknown) => value is T): readonly T[] | undefined {
  if (value === undefined) return [];
  if (!isList(value)) return undefined;
  const fitting = (value as readonly unknown[]).filter(fits);
  return fitting.length === value.length ? fitting : undefined;
}

function isCookie(value: unknown): value is StateCookie {
  return isObject(value) && ['name', 'value', 'domain', 'path'].every((key) => typeof value[key] === 'string');
}

function wholeCookie({ name, value, domain, path, ...rest }: StateCookie): StateCookie {
  const { expires = -1, httpOnly = false, secure = false, sameSite = 'Lax' } = rest as Partial<StateCookie>;
  return { name, value, domain, path, expires, httpOnly, secure, sameSite };
}

function isOrigin(value: unknown): value is StateOrigin {
  if (!isObject(value) || typeof value['origin'] !== 'string') return false;
  const entries = value['localStorage'];
  return (
    isList(entries) &&
    entries.every((each) => isObject(each) && typeof each['name'] === 'string' && typeof each['value'] === 'string')
  );
}
