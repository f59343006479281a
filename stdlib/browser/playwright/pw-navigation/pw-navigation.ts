import { command } from '#stdlib/command.ts';

/** Messages name what was being loaded. */
const loading = { url: 'the page' };

export const WR_pw_back = command('WR_pw_back', async (_, ctx) => {
  ctx.playwright.session.leaveFrames();
  await ctx.playwright.session.run(ctx, (page) => page.goBack({ signal: ctx.signal }), loading);
});

export const WR_pw_content = command('WR_pw_content', (_, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.content()),
);

export const WR_pw_forward = command('WR_pw_forward', async (_, ctx) => {
  ctx.playwright.session.leaveFrames();
  await ctx.playwright.session.run(ctx, (page) => page.goForward({ signal: ctx.signal }), loading);
});

export const WR_pw_refresh = command('WR_pw_refresh', async (_, ctx) => {
  ctx.playwright.session.leaveFrames();
  await ctx.playwright.session.run(ctx, (page) => page.reload({ signal: ctx.signal }), loading);
});

export const WR_pw_title = command('WR_pw_title', (_, ctx) => ctx.playwright.session.run(ctx, (page) => page.title()));

export const WR_pw_to_url = command('WR_pw_to_url', ({ url, wait_until }, ctx) =>
  ctx.playwright.session.open(ctx, url, wait_until),
);

export const WR_pw_url = command('WR_pw_url', (_, ctx) => ctx.playwright.session.page.url());
