import { command } from '#stdlib/command.ts';

export const WR_pw_close_page = command('WR_pw_close_page', ({ index }, ctx) =>
  ctx.playwright.session.closePage(ctx, index ?? undefined),
);

export const WR_pw_new_page = command('WR_pw_new_page', (_, ctx) => ctx.playwright.session.newPage(ctx));

export const WR_pw_page_count = command('WR_pw_page_count', (_, ctx) =>
  ctx.playwright.isOpen ? ctx.playwright.session.pages.length : 0,
);

export const WR_pw_switch_to_page = command('WR_pw_switch_to_page', ({ index }, ctx) =>
  ctx.playwright.session.choosePage(ctx, index),
);
