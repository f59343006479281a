import { command } from '#stdlib/command.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';

import { writePicture } from '../../picture.ts';

type ScreenshotContext = Base & Pick<Ports, 'webdriver' | 'files'>;

export const WR_get_screenshot_as_base64 = command('WR_get_screenshot_as_base64', ({ path }, ctx) =>
  screenshot(path, ctx),
);

export const WR_get_screenshot_as_png = command('WR_get_screenshot_as_png', ({ path }, ctx) => screenshot(path, ctx));

async function screenshot(path: string | undefined, ctx: ScreenshotContext): Promise<string> {
  const bytes = await ctx.webdriver.current.picture(ctx);
  ctx.attach({ kind: 'picture', name: 'screenshot', mediaType: 'image/png', bytes });
  if (path !== undefined) await writePicture(path, bytes, ctx);
  return Buffer.from(bytes).toString('base64');
}
