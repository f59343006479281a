import { cookieRejected } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import { maskCookie } from '#stdlib/http/mask-cookie.ts';

export const WR_pw_add_cookies = command('WR_pw_add_cookies', async ({ cookies }, ctx) => {
  for (const { value } of cookies) ctx.mask(value);
  const homeless = cookies.find(
    ({ url, domain, path }) => url === undefined && (domain === undefined || path === undefined),
  );
  if (homeless) throw cookieRejected({ name: homeless.name, reason: 'it has neither "url" nor "domain" and "path"' });
  await ctx.playwright.session.run(ctx, async (page) => {
    try {
      await page
        .context()
        .addCookies(
          cookies.map(({ expiry, ...cookie }) => ({ ...(expiry === undefined ? {} : { expires: expiry }), ...cookie })),
        );
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const name = cookies.map((cookie) => cookie.name).join(', ');
      throw cookieRejected({ name, reason: reasonOf(error), cause: error });
    }
  });
});

export const WR_pw_clear_cookies = command('WR_pw_clear_cookies', (_, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.context().clearCookies()),
);

export const WR_pw_get_cookies = command('WR_pw_get_cookies', (_, ctx) =>
  ctx.playwright.session.run(ctx, async (page) => {
    const cookies = await page.context().cookies();
    for (const cookie of cookies) maskCookie(cookie, ctx);
    return cookies.map((cookie) => ({ ...cookie }));
  }),
);

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /cookie/i.test(error.message.split('\n', 1)[0] ?? '');
}

function reasonOf(error: Error): string {
  return (error.message.split('\n', 1)[0] ?? '').replace(/^\w+\.\w+: /, '');
}
