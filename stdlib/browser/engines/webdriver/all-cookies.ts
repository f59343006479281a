import { isList, isObject, type JsonObject } from '#schemas/types/json.ts';
import type { KeptCookie } from '#schemas/types/kept-cookie.ts';

import type { Scope, WebDriverSession } from './port.ts';

/** Cookies of all sites where the browser speaks the debugging protocol, else those of the current page. */
export async function allCookies(session: WebDriverSession, scope: Scope): Promise<readonly KeptCookie[]> {
  if (!session.chromium) {
    const own = await session.run(scope, (driver) => driver.manage().getCookies());
    return own.map(({ expiry, ...cookie }) =>
      whole({ ...cookie, ...(expiry !== undefined && { expires: Number(expiry) }) } as JsonObject),
    );
  }
  const answer = await session.protocol(scope, 'Network.getAllCookies', {});
  const cookies = isObject(answer) && isList(answer['cookies']) ? answer['cookies'] : [];
  return cookies.filter(isObject).map((cookie) => whole(cookie));
}

/** Takes away what is there, as far as it can be seen, and sets these. */
export async function replaceCookies(
  session: WebDriverSession,
  scope: Scope,
  cookies: readonly KeptCookie[],
): Promise<void> {
  if (session.chromium) {
    await session.protocol(scope, 'Network.clearBrowserCookies', {});
    const set = cookies.map(({ expires, ...cookie }) => ({ ...cookie, ...(expires >= 0 && { expires }) }));
    if (set.length > 0) await session.protocol(scope, 'Network.setCookies', { cookies: set });
    return;
  }
  await session.run(scope, async (driver) => {
    await driver.manage().deleteAllCookies();
    const host = new URL(await driver.getCurrentUrl()).hostname;
    for (const { expires, ...cookie } of cookies)
      if (belongs(host, cookie.domain))
        await driver.manage().addCookie({ ...cookie, ...(expires >= 0 && { expiry: Math.floor(expires) }) });
  });
}

function belongs(host: string, domain: string): boolean {
  const bare = domain.replace(/^\./, '');
  return host === bare || host.endsWith(`.${bare}`);
}

function whole(cookie: JsonObject): KeptCookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite } = cookie;
  return {
    name: String(name),
    value: String(value),
    domain: String(domain ?? ''),
    path: String(path ?? '/'),
    expires: typeof expires === 'number' ? expires : -1,
    httpOnly: httpOnly === true,
    secure: secure === true,
    sameSite: sameSite === 'Strict' || sameSite === 'None' ? sameSite : 'Lax',
  };
}
