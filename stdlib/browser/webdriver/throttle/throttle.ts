import { command } from '#stdlib/command.ts';

import { throttle, throttlePresets } from '../../engines/page/throttle.ts';

export const WR_throttle = command('WR_throttle', ({ preset }, ctx) => throttle(ctx.webdriver.current, ctx, preset));

export const WR_throttle_clear = command('WR_throttle_clear', (_, ctx) =>
  throttle(ctx.webdriver.current, ctx, 'no_throttling'),
);

export const WR_throttle_presets = command('WR_throttle_presets', () => [...throttlePresets]);
