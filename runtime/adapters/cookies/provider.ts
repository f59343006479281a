import { CookieJar as ToughJar } from 'tough-cookie';

import type { Provider } from '#runtime/kernel/ports.ts';

import type { CookieJar } from './port.ts';

export const provider: Provider<'cookies'> = {
  open: () => ({ open: openJar }),
};

function openJar(): CookieJar {
  const jar = new ToughJar();
  return {
    cookiesFor: (url) => Object.fromEntries(jar.getCookiesSync(url).map(({ key, value }) => [key, value])),
    store: (line, url) => {
      jar.setCookieSync(line, url, { ignoreError: true });
    },
  };
}
