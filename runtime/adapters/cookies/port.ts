import type { KeptCookie } from '#schemas/types/kept-cookie.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly cookies: CookieJars;
  }
}

/**
 * Keeps cookies as browsers do (RFC 6265bis): domains, paths, Secure, expiry, name prefixes, no cookies for public
 * suffixes. SameSite is a matter of pages and decides nothing here but that `None` needs Secure.
 */
export interface CookieJars {
  /** An empty jar. */
  open(): CookieJar;
}

export type CookiePair = readonly [name: string, value: string];

export interface CookieJar {
  /** Names and values to send to that address, in their order; a name may stand twice, for two paths. */
  cookiesFor(url: string): readonly CookiePair[];
  /** Takes one `Set-Cookie` line of an answer from that address. A cookie that this address may not set is left out. */
  store(line: string, url: string): void;
  /** All cookies that have not expired. */
  all(): readonly KeptCookie[];
  /** Takes a cookie that somebody else kept. One of a public suffix is left out. */
  put(cookie: KeptCookie): void;
  /** Another jar with the same cookies. */
  copy(): CookieJar;
}
