import { command } from '#stdlib/command.ts';

export const WR_pw_set_default_navigation_timeout = command(
  'WR_pw_set_default_navigation_timeout',
  ({ timeout_ms }, ctx) => ctx.playwright.session.setTimeouts({ navigation: timeout_ms }),
);

export const WR_pw_set_default_timeout = command('WR_pw_set_default_timeout', ({ timeout_ms }, ctx) =>
  ctx.playwright.session.setTimeouts({ action: timeout_ms }),
);

export const WR_pw_wait_for_load_state = command('WR_pw_wait_for_load_state', ({ state, timeout }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.waitForLoadState(state, { signal: ctx.signal, ...limit(timeout) }), {
    waiting: `the page did not reach "${state}"`,
    ...limit(timeout),
  }),
);

export const WR_pw_wait_for_selector = command('WR_pw_wait_for_selector', ({ selector, timeout, state }, ctx) =>
  ctx.playwright.session.waitFor(ctx, selector, state, timeout ?? undefined),
);

export const WR_pw_wait_for_timeout = command('WR_pw_wait_for_timeout', async ({ timeout_ms }, ctx) => {
  await ctx.playwright.session.run(ctx, () => ctx.clock.sleep(timeout_ms, ctx.signal), { timeout: timeout_ms });
});

export const WR_pw_wait_for_url = command('WR_pw_wait_for_url', ({ url, timeout }, ctx) => {
  const pattern = url.startsWith('/') && ctx.step.baseUrl !== undefined ? new URL(url, ctx.step.baseUrl).href : url;
  return ctx.playwright.session.run(
    ctx,
    (page) => page.waitForURL(pattern, { signal: ctx.signal, ...limit(timeout) }),
    { waiting: `the address did not match "${pattern}"`, ...limit(timeout) },
  );
});

function limit(timeout: number | null | undefined): { readonly timeout?: number } {
  return timeout == null ? {} : { timeout };
}
