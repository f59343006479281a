import type { CookieJar as ToughJar } from 'tough-cookie';

import type { Provider } from '#runtime/kernel/ports.ts';

import type { CookieJar } from './port.ts';

export const provider: Provider<'cookies'> = {
  open: async () => {
    const { CookieJar: Jar } = await import('tough-cookie');
    return { open: () => toPort(new Jar()) };
  },
};

function toPort(jar: ToughJar): CookieJar {
  return {
    cookiesFor: (url) => Object.fromEntries(jar.getCookiesSync(url).map(({ key, value }) => [key, value])),
    store: (line, url) => {
      jar.setCookieSync(line, url, { ignoreError: true });
    },
    copy: () => {
      const copy = jar.cloneSync();
      if (!copy) throw new Error('the jar of cookies cannot be copied');
      return toPort(copy);
    },
  };
}
