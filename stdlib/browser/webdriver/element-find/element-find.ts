import { command } from '#stdlib/command.ts';

export const WR_find_recorded_element = command('WR_find_recorded_element', ({ element_name }, ctx) =>
  ctx.webdriver.current.find(ctx, () => ctx.testObjects.get(element_name)),
);

export const WR_find_recorded_elements = command('WR_find_recorded_elements', ({ element_name }, ctx) =>
  ctx.webdriver.current.findAll(ctx, () => ctx.testObjects.get(element_name)),
);
