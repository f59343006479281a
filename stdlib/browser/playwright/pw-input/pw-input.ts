import { command } from '#stdlib/command.ts';

import { isPasswordFocused } from '../../engines/page/focus.ts';
import { hideTyped } from '../../typed-secret.ts';

/** The masker does not look for shorter texts. */
const shortestSecret = 4;

export const WR_pw_keyboard_down = command('WR_pw_keyboard_down', ({ key }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.keyboard.down(key)),
);

export const WR_pw_keyboard_press = command('WR_pw_keyboard_press', ({ key }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.keyboard.press(key)),
);

export const WR_pw_keyboard_type = command('WR_pw_keyboard_type', async ({ text, delay }, ctx) => {
  if (text.length >= shortestSecret && (await isPasswordFocused(ctx.playwright, ctx))) hideTyped(ctx, text);
  await ctx.playwright.session.run(ctx, (page) => page.keyboard.type(text, { delay }), {
    timeout: delay * text.length,
  });
});

export const WR_pw_keyboard_up = command('WR_pw_keyboard_up', ({ key }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.keyboard.up(key)),
);

export const WR_pw_mouse_click = command('WR_pw_mouse_click', ({ x, y, button, click_count }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.mouse.click(x, y, { button, clickCount: click_count })),
);

export const WR_pw_mouse_down = command('WR_pw_mouse_down', ({ button, click_count }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.mouse.down({ button, clickCount: click_count })),
);

export const WR_pw_mouse_move = command('WR_pw_mouse_move', ({ x, y, steps }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.mouse.move(x, y, { steps })),
);

export const WR_pw_mouse_up = command('WR_pw_mouse_up', ({ button, click_count }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.mouse.up({ button, clickCount: click_count })),
);
