import { command } from '#stdlib/command.ts';

import { healingLocator } from '../../engines/test-objects/healing.ts';

export const WR_pw_find_with_healing = command('WR_pw_find_with_healing', ({ name }, ctx) => {
  const { session } = ctx.playwright;
  const { selector } = ctx.testObjects;
  return session.mustFind(ctx, async () =>
    selector(await healingLocator(ctx, name, (each) => session.count(ctx, selector(each)))),
  );
});
