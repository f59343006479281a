import { command } from '#stdlib/command.ts';

export const WR_pw_emulate = command('WR_pw_emulate', async ({ device_name }, ctx) => {
  await ctx.playwright.session.reshape(ctx, { device: device_name });
});

export const WR_pw_list_devices = command('WR_pw_list_devices', async (_, ctx) => [
  ...(await ctx.playwright.deviceNames()),
]);

export const WR_pw_set_geolocation = command('WR_pw_set_geolocation', ({ latitude, longitude, accuracy }, ctx) =>
  ctx.playwright.session.setPosition(ctx, { latitude, longitude, ...(accuracy == null ? {} : { accuracy }) }),
);

export const WR_pw_set_locale = command('WR_pw_set_locale', async ({ locale, accept_language }, ctx) => {
  await ctx.playwright.session.reshape(ctx, { locale, acceptLanguage: accept_language ?? undefined });
});

export const WR_pw_set_timezone = command('WR_pw_set_timezone', async ({ timezone_id }, ctx) => {
  await ctx.playwright.session.reshape(ctx, { timezone: timezone_id });
});

export const WR_pw_set_viewport_size = command('WR_pw_set_viewport_size', ({ width, height }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.setViewportSize({ width, height })),
);

export const WR_pw_stop_emulate = command('WR_pw_stop_emulate', async (_, ctx) => {
  const plain = { device: undefined, locale: undefined, acceptLanguage: undefined, timezone: undefined };
  await ctx.playwright.session.reshape(ctx, { ...plain, archive: undefined });
});

export const WR_pw_viewport_size = command('WR_pw_viewport_size', (_, ctx) =>
  ctx.playwright.session.page.viewportSize(),
);
