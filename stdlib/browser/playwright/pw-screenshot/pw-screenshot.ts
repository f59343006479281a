import { command } from '#stdlib/command.ts';

import { writePicture } from '../../picture.ts';

export const WR_pw_screenshot = command('WR_pw_screenshot', async ({ path, full_page }, ctx) => {
  const type = /\.jpe?g$/i.test(path) ? 'jpeg' : 'png';
  const bytes = await ctx.playwright.session.picture(ctx, { fullPage: full_page, type });
  ctx.attach({ kind: 'picture', name: 'screenshot', mediaType: `image/${type}`, bytes });
  await ctx.files.write(path, bytes, { parents: true, durable: ctx.durable, signal: ctx.signal });
  ctx.attach({ kind: 'file', name: 'screenshot', path });
  return path;
});

export const WR_pw_screenshot_bytes = command('WR_pw_screenshot_bytes', async ({ full_page, path }, ctx) => {
  const bytes = await ctx.playwright.session.picture(ctx, { fullPage: full_page, type: 'png' });
  ctx.attach({ kind: 'picture', name: 'screenshot', mediaType: 'image/png', bytes });
  if (path !== undefined) await writePicture(path, bytes, ctx);
  return Buffer.from(bytes).toString('base64');
});
