import type { Base } from '#runtime/kernel/ports.ts';
import { cookieRejected } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import { maskCookie } from '#stdlib/http/mask-cookie.ts';

export const WR_add_cookie = command('WR_add_cookie', async ({ cookie_dict: { expires, ...cookie } }, ctx) => {
  ctx.mask(cookie.value);
  // As the second engine calls it; -1 is a cookie of the browser session.
  const expiry = expires === undefined || expires < 0 ? {} : { expiry: Math.floor(expires) };
  await ctx.webdriver.current.run(ctx, async (driver) => {
    try {
      await driver.manage().addCookie({ ...expiry, ...cookie });
    } catch (error) {
      if (error instanceof Error && refusals.has(error.name))
        throw cookieRejected({ name: cookie.name, reason: error.message.split('\n', 1)[0] ?? '', cause: error });
      throw error;
    }
  });
});

/** Names of refusals by the driver, and by the library before it asks the driver. */
const refusals: ReadonlySet<string> = new Set([
  'InvalidCookieDomainError',
  'UnableToSetCookieError',
  'InvalidArgumentError',
]);

export const WR_delete_all_cookies = command('WR_delete_all_cookies', (_, ctx) =>
  ctx.webdriver.current.run(ctx, (driver) => driver.manage().deleteAllCookies()),
);

export const WR_delete_cookie = command('WR_delete_cookie', ({ name }, ctx) =>
  ctx.webdriver.current.run(ctx, (driver) => driver.manage().deleteCookie(name)),
);

export const WR_get_cookie = command('WR_get_cookie', ({ name }, ctx) =>
  ctx.webdriver.current.run(ctx, async (driver) => {
    try {
      return shown(await driver.manage().getCookie(name), ctx);
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchCookieError') return null;
      throw error;
    }
  }),
);

export const WR_get_cookies = command('WR_get_cookies', (_, ctx) =>
  ctx.webdriver.current.run(ctx, async (driver) =>
    (await driver.manage().getCookies()).map((cookie) => shown(cookie, ctx)),
  ),
);

type Cookie = Parameters<typeof maskCookie>[0];

function shown<T extends Cookie>(cookie: T, ctx: Pick<Base, 'mask'>): { readonly [Key in keyof T]: T[Key] } {
  maskCookie(cookie, ctx);
  return { ...cookie };
}
