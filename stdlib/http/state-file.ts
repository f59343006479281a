import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { storageStateUnfit } from '#schemas/generated/failures.ts';
import { isList, isObject } from '#schemas/types/json.ts';
import type { KeptCookie } from '#schemas/types/kept-cookie.ts';

type Files = Base & Pick<Ports, 'files'>;

/** Local storage of one site. */
export interface StateOrigin {
  readonly origin: string;
  readonly localStorage: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Cookies and local storage, in the form in which Playwright keeps them, so that either browser engine and sessions
 * over HTTP read what the others have written.
 */
export interface StorageState {
  readonly cookies: readonly KeptCookie[];
  readonly origins: readonly StateOrigin[];
}

/** Numbers of cookies, and of sites with local storage. */
export interface StateCounts {
  readonly cookies: number;
  readonly origins: number;
}

/**
 * Writes a state to a local file, which its owner alone may read. All its values are masked from now on in everything
 * else that is written.
 */
export async function keepState({ cookies, origins }: StorageState, path: string, ctx: Files): Promise<StateCounts> {
  hideValues({ cookies, origins }, ctx);
  const text = `${JSON.stringify({ cookies, origins }, undefined, 2)}\n`;
  await ctx.files.write(path, text, { parents: true, mode: 0o600, durable: ctx.durable, signal: ctx.signal });
  return countsOf({ cookies, origins });
}

/** The state that a local file holds. All its values are masked from now on in everything that is written. */
export async function keptState(path: string, ctx: Files): Promise<StorageState> {
  return readState(new TextDecoder().decode(await ctx.files.read(path)), path, ctx);
}

export function countsOf({ cookies, origins }: StorageState): StateCounts {
  return { cookies: cookies.length, origins: origins.length };
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
function hideValues({ cookies, origins }: StorageState, scope: Pick<Base, 'mask'>): void {
  for (const { value } of cookies) scope.mask(value);
  for (const { localStorage } of origins) for (const { value } of localStorage) scope.mask(value);
}

/** The list where each of it fits; none where nothing is said. */
function listOf<T>(value: unknown, fits: (value: unknown) => value is T): readonly T[] | undefined {
  if (value === undefined) return [];
  if (!isList(value)) return undefined;
  const fitting = (value as readonly unknown[]).filter(fits);
  return fitting.length === value.length ? fitting : undefined;
}

function isCookie(value: unknown): value is KeptCookie {
  return isObject(value) && ['name', 'value', 'domain', 'path'].every((key) => typeof value[key] === 'string');
}

function wholeCookie({ name, value, domain, path, ...rest }: KeptCookie): KeptCookie {
  const { expires = -1, httpOnly = false, secure = false, sameSite = 'Lax' } = rest as Partial<KeptCookie>;
  return { name, value, domain, path, expires, httpOnly, secure, sameSite };
}

/** Tells local storage of a site, as a state holds it, from other values. */
export function isOrigin(value: unknown): value is StateOrigin {
  if (!isObject(value) || typeof value['origin'] !== 'string') return false;
  const entries = value['localStorage'];
  return (
    isList(entries) &&
    entries.every((each) => isObject(each) && typeof each['name'] === 'string' && typeof each['value'] === 'string')
  );
}
