import { command } from '#stdlib/command.ts';

import { healingLocator } from '../../engines/test-objects/healing.ts';

export const WR_pw_find_with_healing = command('WR_pw_find_with_healing', async ({ name }, ctx) => {
  const { session } = ctx.playwright;
  const locator = await healingLocator(ctx, name, (each) => session.count(ctx, ctx.testObjects.selector(each)));
  return session.mustFind(ctx, ctx.testObjects.selector(locator));
});
