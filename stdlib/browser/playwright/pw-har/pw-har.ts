import { resolve } from 'node:path';

import { command } from '#stdlib/command.ts';

export const WR_pw_start_har_recording = command('WR_pw_start_har_recording', async ({ har_path, content }, ctx) => {
  const path = resolve(ctx.folders.cwd, har_path);
  await ctx.playwright.session.reshape(ctx, { archive: { path, content } });
});

export const WR_pw_stop_har_recording = command('WR_pw_stop_har_recording', async (_, ctx) => {
  const { session } = ctx.playwright;
  if (session.archive === undefined) return null;
  const path = await session.reshape(ctx, { archive: undefined });
  if (path !== null) ctx.attach({ kind: 'file', name: 'network archive', path });
  return path;
});
