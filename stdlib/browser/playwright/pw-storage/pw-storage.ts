import { command } from '#stdlib/command.ts';
import { countsOf, keepState, keptState } from '#stdlib/http/state-file.ts';

import {
  allEntries,
  clearEntries,
  dropDatabase,
  readEntry,
  removeEntry,
  writeEntry,
} from '../../engines/page/storage.ts';

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

export const WR_pw_save_storage_state = command('WR_pw_save_storage_state', async ({ path }, ctx) =>
  keepState(await ctx.playwright.session.run(ctx, (page) => page.context().storageState()), path, ctx),
);

export const WR_pw_load_storage_state = command('WR_pw_load_storage_state', async ({ path }, ctx) => {
  const state = await keptState(path, ctx);
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
