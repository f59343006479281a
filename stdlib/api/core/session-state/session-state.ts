import { command } from '#stdlib/command.ts';
import { countsOf, keepState, keptState } from '#stdlib/http/state-file.ts';

export const AT_load_storage_state = command('AT_load_storage_state', async ({ path }, ctx) => {
  const state = await keptState(path, ctx);
  await ctx.http.replaceCookies(state.cookies);
  return countsOf(state);
});

export const AT_save_storage_state = command('AT_save_storage_state', async ({ path }, ctx) =>
  keepState({ cookies: await ctx.http.cookies(), origins: [] }, path, ctx),
);
