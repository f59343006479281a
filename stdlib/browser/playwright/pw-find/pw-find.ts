import { command } from '#stdlib/command.ts';

export const WR_pw_find_element = command('WR_pw_find_element', ({ selector }, ctx) =>
  ctx.playwright.session.find(ctx, selector),
);

export const WR_pw_find_element_with_test_object_record = command(
  'WR_pw_find_element_with_test_object_record',
  ({ element_name }, ctx) =>
    ctx.playwright.session.mustFind(ctx, () => ctx.testObjects.selector(ctx.testObjects.get(element_name))),
);

export const WR_pw_find_elements = command('WR_pw_find_elements', ({ selector }, ctx) =>
  ctx.playwright.session.findAll(ctx, selector),
);

export const WR_pw_find_elements_with_test_object_record = command(
  'WR_pw_find_elements_with_test_object_record',
  ({ element_name }, ctx) =>
    ctx.playwright.session.findAll(ctx, () => ctx.testObjects.selector(ctx.testObjects.get(element_name))),
);

export const WR_pw_save_test_object_to_selector = command(
  'WR_pw_save_test_object_to_selector',
  ({ test_object_name, object_type, locator }, ctx) =>
    ctx.testObjects.selector(ctx.testObjects.save(test_object_name, object_type, locator ?? test_object_name)),
);
