import type { Cookie, CookieJar } from 'tough-cookie';

/** Most bytes of name and value together. */
const LARGEST = 4096;

/** Rules of RFC 6265bis for taking a cookie that the jar of the package does not have. */
export function maySet(cookie: Cookie, url: string, jar: CookieJar): boolean {
  const { key, value, secure, sameSite } = cookie;
  if (Buffer.byteLength(key) + Buffer.byteLength(value) > LARGEST) return false;
  if (sameSite === 'none' && !secure) return false;
  return keepsPrefix(cookie) && !hidesSecure(cookie, url, jar);
}

/** The prefixes promise what a cookie was set with; their letters may be small or large. */
function keepsPrefix({ key, secure, domain, path }: Cookie): boolean {
  const name = key.toLowerCase();
  if (name.startsWith('__secure-')) return secure;
  return !name.startsWith('__host-') || (secure && domain === null && path === '/');
}

/** A plain connection may not put a cookie in the place of one that was set over TLS. */
function hidesSecure(cookie: Cookie, url: string, jar: CookieJar): boolean {
  if (!url.startsWith('http:')) return false;
  const seen = new Set(jar.getCookiesSync(url, { allPaths: true }));
  const path = cookie.path ?? new URL('.', url).pathname;
  return jar
    .getCookiesSync(url.replace('http:', 'https:'), { allPaths: true })
    .some((other) => other.key === cookie.key && !seen.has(other) && isBelow(path, other.path ?? '/'));
}

function isBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`);
}
