import { command } from '#stdlib/command.ts';

import { check, choose, click, doubleClick, fill, hover, press, typeText, uncheck } from '../act.ts';

export const WR_pw_check = command('WR_pw_check', ({ selector }, ctx) => check(ctx, selector));

export const WR_pw_click = command('WR_pw_click', ({ selector, ...how }, ctx) => click(ctx, selector, how));

export const WR_pw_dblclick = command('WR_pw_dblclick', ({ selector, ...how }, ctx) => doubleClick(ctx, selector, how));

export const WR_pw_drag_and_drop = command('WR_pw_drag_and_drop', ({ source_selector, target_selector }, ctx) =>
  ctx.playwright.session.drag(ctx, source_selector, target_selector),
);

export const WR_pw_fill = command('WR_pw_fill', ({ selector, value }, ctx) => fill(ctx, selector, value));

export const WR_pw_hover = command('WR_pw_hover', ({ selector, ...how }, ctx) => hover(ctx, selector, how));

export const WR_pw_press = command('WR_pw_press', ({ selector, key }, ctx) => press(ctx, selector, key));

export const WR_pw_select_option = command('WR_pw_select_option', ({ selector, value }, ctx) =>
  choose(ctx, selector, value),
);

export const WR_pw_type_text = command('WR_pw_type_text', ({ selector, value, delay }, ctx) =>
  typeText(ctx, selector, value, delay),
);

export const WR_pw_uncheck = command('WR_pw_uncheck', ({ selector }, ctx) => uncheck(ctx, selector));
