import { command } from '#stdlib/command.ts';

import { throttle } from '../../engines/page/throttle.ts';

export const WR_pw_throttle = command('WR_pw_throttle', ({ preset }, ctx) =>
  throttle(ctx.playwright.session, ctx, preset),
);

export const WR_pw_throttle_clear = command('WR_pw_throttle_clear', (_, ctx) =>
  throttle(ctx.playwright.session, ctx, 'no_throttling'),
);
