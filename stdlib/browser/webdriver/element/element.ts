import { command } from '#stdlib/command.ts';

import { isWholeValue } from '../../engines/page/whole-value.ts';
import { putWhole } from '../../engines/webdriver/put-whole.ts';
import type { Seen } from '../../engines/webdriver/port.ts';
import { writePicture } from '../../picture.ts';
import { hideTyped } from '../../typed-secret.ts';
import { checkElement } from './element-facts.ts';
import { submit } from './submit.ts';

export const WR_element_assert = command('WR_element_assert', ({ check_dict }, ctx) =>
  checkElement(ctx.webdriver.current, ctx, check_dict),
);

export const WR_element_change_web_element = command('WR_element_change_web_element', ({ element_index }, ctx) =>
  ctx.webdriver.current.chooseElement(element_index),
);

export const WR_element_clear = command('WR_element_clear', (_, ctx) =>
  ctx.webdriver.current.act(ctx, ['visible', 'enabled', 'editable'], (element) => element.clear()),
);

export const WR_element_click = command('WR_element_click', (_, ctx) =>
  ctx.webdriver.current.act(ctx, ['visible', 'stable', 'enabled', 'reachable'], (element) => element.click()),
);

export const WR_element_get_attribute = command('WR_element_get_attribute', ({ name }, ctx) =>
  ctx.webdriver.current.element(ctx, (element) => element.getAttribute(name)),
);

export const WR_element_get_dom_attribute = command('WR_element_get_dom_attribute', ({ name }, ctx) =>
  ctx.webdriver.current.element(ctx, (element) => element.getDomAttribute(name)),
);

export const WR_element_get_property = command('WR_element_get_property', ({ name }, ctx) =>
  ctx.webdriver.current.element(ctx, async (element): Promise<unknown> => element.getProperty(name)),
);

export const WR_element_input = command('WR_element_input', ({ input_value }, ctx) => {
  // Also where nothing is typed in the end: the report of the failure shows the action.
  const hide = ({ fieldType }: Seen): void => {
    if (fieldType === 'password') hideTyped(ctx, input_value);
  };
  return ctx.webdriver.current.act(
    ctx,
    ['visible', 'enabled', 'editable'],
    (element, { fieldType, name }) =>
      isWholeValue(fieldType, input_value)
        ? putWhole(element, { type: fieldType, text: input_value, name })
        : element.sendKeys(input_value),
    hide,
  );
});

export const WR_element_is_displayed = command('WR_element_is_displayed', (_, ctx) =>
  ctx.webdriver.current.element(ctx, (element) => element.isDisplayed()),
);

export const WR_element_is_enabled = command('WR_element_is_enabled', (_, ctx) =>
  ctx.webdriver.current.element(ctx, (element) => element.isEnabled()),
);

export const WR_element_is_selected = command('WR_element_is_selected', (_, ctx) =>
  ctx.webdriver.current.element(ctx, (element) => element.isSelected()),
);

export const WR_element_screenshot = command('WR_element_screenshot', async ({ filename }, ctx) => {
  const picture = Buffer.from(
    await ctx.webdriver.current.element(ctx, (element) => element.takeScreenshot()),
    'base64',
  );
  ctx.attach({ kind: 'picture', name: 'element', mediaType: 'image/png', bytes: picture });
  await writePicture(filename, picture, ctx);
  return true;
});

export const WR_element_submit = command('WR_element_submit', (_, ctx) => submit(ctx.webdriver.current, ctx));

export const WR_element_value_of_css_property = command('WR_element_value_of_css_property', ({ property_name }, ctx) =>
  ctx.webdriver.current.element(ctx, (element) => element.getCssValue(property_name)),
);
