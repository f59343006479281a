import { resolve } from 'node:path';

import { command } from '#stdlib/command.ts';

export const WR_build_action_schema = command('WR_build_action_schema', (_, ctx) => ctx.compiler.schema());

export const WR_export_action_schema = command('WR_export_action_schema', async ({ path }, ctx) => {
  const text = `${JSON.stringify(await ctx.compiler.schema(), null, 2)}\n`;
  await ctx.files.write(path, text, { parents: true, durable: ctx.durable });
  return resolve(ctx.folders.cwd, path);
});
