import type { KeptCookie } from '#schemas/types/kept-cookie.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly cookies: CookieJars;
  }
}

/** Keeps cookies as browsers do (RFC 6265): domains, paths, Secure, expiry, no cookies for public suffixes. */
export interface CookieJars {
  /** An empty jar. */
  open(): CookieJar;
}

export interface CookieJar {
  /** Names and values to send to that address. */
  cookiesFor(url: string): Readonly<Record<string, string>>;
  /** Takes one `Set-Cookie` line of an answer from that address. A cookie that this address may not set is left out. */
  store(line: string, url: string): void;
  /** All cookies that have not expired. */
  all(): readonly KeptCookie[];
  /** Takes a cookie that somebody else kept. One of a public suffix is left out. */
  put(cookie: KeptCookie): void;
  /** Another jar with the same cookies. */
  copy(): CookieJar;
}
