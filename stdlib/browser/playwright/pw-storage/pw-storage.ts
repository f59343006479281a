import { command } from '#stdlib/command.ts';

import {
  allEntries,
  clearEntries,
  dropDatabase,
  readEntry,
  removeEntry,
  writeEntry,
} from '../../engines/page/storage.ts';
import { countsOf, hideValues, readState, stateText } from '../../engines/page/state-file.ts';

export const WR_pw_indexed_db_drop = command('WR_pw_indexed_db_drop', ({ db_name }, ctx) =>
  dropDatabase(ctx.playwright, ctx, db_name),
);

export const WR_pw_local_storage_all = command('WR_pw_local_storage_all', (_, ctx) =>
  allEntries(ctx.playwright, ctx, 'localStorage'),
);

export const WR_pw_local_storage_clear = command('WR_pw_local_storage_clear', (_, ctx) =>
  clearEntries(ctx.playwright, ctx, 'localStorage'),
);

export const WR_pw_local_storage_get = command('WR_pw_local_storage_get', ({ key }, ctx) =>
  readEntry(ctx.playwright, ctx, 'localStorage', key),
);

export const WR_pw_local_storage_remove = command('WR_pw_local_storage_remove', ({ key }, ctx) =>
  removeEntry(ctx.playwright, ctx, 'localStorage', key),
);

export const WR_pw_local_storage_set = command('WR_pw_local_storage_set', (entry, ctx) =>
  writeEntry(ctx.playwright, ctx, 'localStorage', entry),
);

export const WR_pw_session_storage_clear = command('WR_pw_session_storage_clear', (_, ctx) =>
  clearEntries(ctx.playwright, ctx, 'sessionStorage'),
);

export const WR_pw_session_storage_get = command('WR_pw_session_storage_get', ({ key }, ctx) =>
  readEntry(ctx.playwright, ctx, 'sessionStorage', key),
);

export const WR_pw_session_storage_set = command('WR_pw_session_storage_set', (entry, ctx) =>
  writeEntry(ctx.playwright, ctx, 'sessionStorage', entry),
);

export const WR_pw_save_storage_state = command('WR_pw_save_storage_state', async ({ path }, ctx) => {
  const state = await ctx.playwright.session.run(ctx, (page) => page.context().storageState());
  hideValues(state, ctx);
  await ctx.files.write(path, stateText(state), {
    parents: true,
    durable: ctx.durable,
    signal: ctx.signal,
  });
  return countsOf(state);
});

export const WR_pw_load_storage_state = command('WR_pw_load_storage_state', async ({ path }, ctx) => {
  const state = readState(new TextDecoder().decode(await ctx.files.read(path)), path, ctx);
  await ctx.playwright.session.run(ctx, (page) =>
    page.context().setStorageState({
      cookies: state.cookies.map((cookie) => ({ ...cookie })),
      origins: state.origins.map(({ origin, localStorage }) => ({
        origin,
        localStorage: localStorage.map((entry) => ({ ...entry })),
      })),
    }),
  );
  return countsOf(state);
});
