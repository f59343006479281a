import { command } from '#stdlib/command.ts';

import type { Target } from '../../engines/playwright/port.ts';
import { isLocator, readProperty } from '../../engines/playwright/read-property.ts';
import { writePicture } from '../../picture.ts';
import { check, choose, click, doubleClick, fill, hover, press, typeText, uncheck } from '../act.ts';

export const WR_pw_element_change = command('WR_pw_element_change', ({ element_index }, ctx) =>
  ctx.playwright.session.chooseElement(element_index),
);

export const WR_pw_element_check = command('WR_pw_element_check', ({ selector }, ctx) => check(ctx, selector));

export const WR_pw_element_clear = command('WR_pw_element_clear', ({ selector }, ctx) => fill(ctx, selector, ''));

export const WR_pw_element_click = command('WR_pw_element_click', ({ selector, ...how }, ctx) =>
  click(ctx, selector, how),
);

export const WR_pw_element_dblclick = command('WR_pw_element_dblclick', ({ selector, ...how }, ctx) =>
  doubleClick(ctx, selector, how),
);

export const WR_pw_element_fill = command('WR_pw_element_fill', ({ input_value, selector }, ctx) =>
  fill(ctx, selector, input_value),
);

export const WR_pw_element_get_attribute = command('WR_pw_element_get_attribute', ({ name, selector }, ctx) =>
  ctx.playwright.session.element(ctx, selector, (target) => target.getAttribute(name)),
);

export const WR_pw_element_get_property = command('WR_pw_element_get_property', ({ name, selector }, ctx) =>
  ctx.playwright.session.element(ctx, selector, async (target) => (await readProperty(target, name)) ?? null),
);

export const WR_pw_element_hover = command('WR_pw_element_hover', ({ selector, ...how }, ctx) =>
  hover(ctx, selector, how),
);

export const WR_pw_element_inner_html = command('WR_pw_element_inner_html', ({ selector }, ctx) =>
  ctx.playwright.session.element(ctx, selector, (target) => target.innerHTML()),
);

export const WR_pw_element_inner_text = command('WR_pw_element_inner_text', ({ selector }, ctx) =>
  ctx.playwright.session.element(ctx, selector, (target) => target.innerText()),
);

export const WR_pw_element_is_checked = command('WR_pw_element_is_checked', ({ selector }, ctx) =>
  ctx.playwright.session.element(ctx, selector, (target) => target.isChecked()),
);

export const WR_pw_element_is_enabled = command('WR_pw_element_is_enabled', ({ selector }, ctx) =>
  ctx.playwright.session.element(ctx, selector, (target) => target.isEnabled()),
);

export const WR_pw_element_is_visible = command('WR_pw_element_is_visible', ({ selector }, ctx) =>
  ctx.playwright.session.element(ctx, selector, isVisible),
);

/** Fails for a current element that has left the page; of that the library says the same as of a hidden one. */
async function isVisible(target: Target): Promise<boolean> {
  const seen = await target.isVisible();
  if (!seen && !isLocator(target)) await target.isEnabled();
  return seen;
}

export const WR_pw_element_press = command('WR_pw_element_press', ({ key, selector }, ctx) =>
  press(ctx, selector, key),
);

export const WR_pw_element_screenshot = command('WR_pw_element_screenshot', async ({ filename, selector }, ctx) => {
  const bytes = await ctx.playwright.session.element(ctx, selector, (target) => target.screenshot());
  ctx.attach({ kind: 'picture', name: 'element', mediaType: 'image/png', bytes });
  return writePicture(filename, bytes, ctx);
});

export const WR_pw_element_scroll_into_view = command('WR_pw_element_scroll_into_view', ({ selector }, ctx) =>
  ctx.playwright.session.element(ctx, selector, (target) => target.scrollIntoViewIfNeeded({ signal: ctx.signal })),
);

export const WR_pw_element_select_option = command('WR_pw_element_select_option', ({ value, selector }, ctx) =>
  choose(ctx, selector, value),
);

export const WR_pw_element_type_text = command('WR_pw_element_type_text', ({ input_value, delay, selector }, ctx) =>
  typeText(ctx, selector, input_value, delay),
);

export const WR_pw_element_uncheck = command('WR_pw_element_uncheck', ({ selector }, ctx) => uncheck(ctx, selector));
