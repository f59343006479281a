import { command } from '#stdlib/command.ts';

import { healingLocator } from '../../engines/test-objects/healing.ts';

export const WR_find_with_healing = command('WR_find_with_healing', ({ name }, ctx) => {
  const session = ctx.webdriver.current;
  return session.find(ctx, () => healingLocator(ctx, name, async (each) => (await session.matches(ctx, each)).length));
});

export const WR_register_fallback_locator = command('WR_register_fallback_locator', ({ name, strategy, value }, ctx) =>
  ctx.testObjects.addFallback(name, strategy, value),
);

export const WR_register_fallback_locators = command('WR_register_fallback_locators', ({ name, fallbacks }, ctx) =>
  ctx.testObjects.setFallbacks(
    name,
    fallbacks.map(([strategy, value]) => [String(strategy), String(value)] as const),
  ),
);

export const WR_clear_fallback_locators = command('WR_clear_fallback_locators', (_, ctx) =>
  ctx.testObjects.clearFallbacks(),
);
