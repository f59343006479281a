import type { Cookie as ToughCookie, CookieJar as ToughJar } from 'tough-cookie';

import type { Provider } from '#runtime/kernel/ports.ts';
import type { KeptCookie } from '#schemas/types/kept-cookie.ts';

import { maySet } from './may-set.ts';
import type { CookieJar } from './port.ts';

export const provider: Provider<'cookies'> = {
  open: async () => {
    const { Cookie, CookieJar: Jar } = await import('tough-cookie');
    return { open: () => toPort(new Jar(), Cookie) };
  },
};

function toPort(jar: ToughJar, Cookie: typeof ToughCookie): CookieJar {
  return {
    cookiesFor: (url) => jar.getCookiesSync(url).map(({ key, value }) => [key, value] as const),
    store: (line, url) => {
      const cookie = Cookie.parse(line);
      if (cookie && maySet(cookie, url, jar)) jar.setCookieSync(cookie, url, { ignoreError: true });
    },
    all: () => (jar.serializeSync()?.cookies ?? []).flatMap((cookie) => kept(Cookie.fromJSON(cookie))),
    put: (cookie) => {
      const bare = cookie.domain.replace(/^\./, '');
      const host = bare.includes(':') ? `[${bare}]` : bare;
      jar.setCookieSync(toughCookie(cookie, bare, Cookie), `https://${host}/`, { ignoreError: true });
    },
    copy: () => {
      const copy = jar.cloneSync();
      if (!copy) throw new Error('the jar of cookies cannot be copied');
      return toPort(copy, Cookie);
    },
  };
}

const sameSites = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

function kept(cookie: ToughCookie | undefined): readonly KeptCookie[] {
  const expiry = cookie?.expiryTime() ?? Infinity;
  if (!cookie || expiry <= Date.now()) return [];
  const { key, value, domain, path, hostOnly, httpOnly, secure, sameSite } = cookie;
  return [
    {
      name: key,
      value,
      domain: `${hostOnly === false ? '.' : ''}${domain ?? ''}`,
      path: path ?? '/',
      expires: Number.isFinite(expiry) ? Math.floor(expiry / 1000) : -1,
      httpOnly,
      secure,
      // Browsers take cookies that say nothing for lax ones.
      sameSite: sameSites[sameSite as keyof typeof sameSites] ?? 'Lax',
    },
  ];
}

function toughCookie(cookie: KeptCookie, bare: string, Cookie: typeof ToughCookie): ToughCookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite } = cookie;
  return new Cookie({
    key: name,
    value,
    domain: domain.startsWith('.') ? bare : null,
    path,
    expires: expires < 0 ? 'Infinity' : new Date(expires * 1000),
    httpOnly,
    secure,
    sameSite: sameSite.toLowerCase(),
  });
}
