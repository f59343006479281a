import { command } from '#stdlib/command.ts';

import { isPasswordFocused } from '../../engines/page/focus.ts';
import { moveBy, scrollBy } from '../../engines/webdriver/input-queue.ts';
import { keyOf, typedKeys } from '../../engines/webdriver/keys.ts';
import { hideTyped } from '../../typed-secret.ts';
import { click, moveTo, placed, queue, targetOf, type QueueContext } from './queue.ts';

export const WR_reset_actions = command('WR_reset_actions', (_, ctx) => ctx.webdriver.current.resetInput(ctx));

export const WR_pause = command('WR_pause', ({ seconds }, ctx) =>
  queue(ctx, (actions) => actions.pause(seconds * 1000)),
);

export const WR_send_keys = command('WR_send_keys', async ({ keys_to_send }, ctx) => {
  if (await isPasswordFocused(ctx.webdriver, ctx)) hide(ctx, keys_to_send);
  await queue(ctx, (actions) => actions.sendKeys(...typedKeys(keys_to_send)));
});

export const WR_send_keys_to_element = command(
  'WR_send_keys_to_element',
  async ({ element_name, keys_to_send }, ctx) => {
    const element = await targetOf(ctx, element_name, 'current');
    const type: unknown = await ctx.webdriver.current.run(ctx, () => element.getProperty('type'));
    if (type === 'password') hide(ctx, keys_to_send);
    await queue(ctx, (actions) => actions.click(element).sendKeys(...typedKeys(keys_to_send)));
  },
);

export const WR_press_key = command('WR_press_key', async ({ keycode_on_key_class, element_name }, ctx) => {
  const key = keyOf(keycode_on_key_class);
  await click(ctx, element_name);
  await queue(ctx, (actions) => actions.keyDown(key));
});

export const WR_release_key = command('WR_release_key', async ({ keycode_on_key_class, element_name }, ctx) => {
  const key = keyOf(keycode_on_key_class);
  await click(ctx, element_name);
  await queue(ctx, (actions) => actions.keyUp(key));
});

export const WR_scroll = command('WR_scroll', ({ scroll_x, scroll_y }, ctx) =>
  queue(ctx, (actions) => scrollBy(actions, scroll_x, scroll_y)),
);

export const WR_perform = command('WR_perform', (_, ctx) => ctx.webdriver.current.performInput(ctx));

export const WR_release = command('WR_release', async ({ element_name }, ctx) => {
  await moveTo(ctx, element_name, 'current');
  await queue(ctx, (actions) => actions.release());
});

export const WR_left_click = command('WR_left_click', async ({ element_name }, ctx) => {
  await moveTo(ctx, element_name);
  await queue(ctx, (actions) => actions.click());
});

export const WR_left_click_and_hold = command('WR_left_click_and_hold', async ({ element_name }, ctx) => {
  await moveTo(ctx, element_name);
  await queue(ctx, (actions) => actions.press());
});

export const WR_left_double_click = command('WR_left_double_click', async ({ element_name }, ctx) => {
  await moveTo(ctx, element_name, 'current');
  await queue(ctx, (actions) => actions.doubleClick());
});

export const WR_right_click = command('WR_right_click', async ({ element_name }, ctx) => {
  await moveTo(ctx, element_name);
  await queue(ctx, (actions) => actions.contextClick());
});

export const WR_drag_and_drop = command('WR_drag_and_drop', async ({ element_name, target_element_name }, ctx) => {
  const from = await targetOf(ctx, element_name);
  const onto = await targetOf(ctx, target_element_name);
  await queue(ctx, (actions) => actions.dragAndDrop(from, onto));
});

export const WR_drag_and_drop_offset = command(
  'WR_drag_and_drop_offset',
  async ({ element_name, offset_x, offset_y }, ctx) => {
    const element = await targetOf(ctx, element_name);
    await queue(ctx, (actions) => actions.dragAndDrop(element, { x: offset_x, y: offset_y }));
  },
);

export const WR_move_by_offset = command('WR_move_by_offset', ({ offset_x, offset_y }, ctx) =>
  queue(ctx, (actions) => moveBy(actions, offset_x, offset_y)),
);

export const WR_move_to_element = command('WR_move_to_element', ({ element_name }, ctx) => moveTo(ctx, element_name));

export const WR_move_to_element_with_offset = command(
  'WR_move_to_element_with_offset',
  async ({ element_name, offset_x, offset_y }, ctx) => {
    const element = await targetOf(ctx, element_name);
    await queue(ctx, (actions) => actions.move(placed(element, offset_x, offset_y)));
  },
);

function hide(ctx: QueueContext, keys: string | readonly string[]): void {
  const whole = typeof keys === 'string' ? keys : keys.join('');
  for (const text of [whole, ...(typeof keys === 'string' ? [] : keys)]) hideTyped(ctx, text);
}
