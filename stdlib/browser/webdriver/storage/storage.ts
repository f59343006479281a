import { command } from '#stdlib/command.ts';
import { countsOf, keepState, keptState } from '#stdlib/http/state-file.ts';

import { originOf, restoreOrigin } from '../../engines/page/site-state.ts';
import {
  allEntries,
  clearEntries,
  dropDatabase,
  readEntry,
  removeEntry,
  writeEntry,
} from '../../engines/page/storage.ts';
import { allCookies, replaceCookies } from '../../engines/webdriver/all-cookies.ts';

export const WR_local_storage_all = command('WR_local_storage_all', (_, ctx) =>
  allEntries(ctx.webdriver, ctx, 'localStorage'),
);

export const WR_local_storage_clear = command('WR_local_storage_clear', (_, ctx) =>
  clearEntries(ctx.webdriver, ctx, 'localStorage'),
);

export const WR_local_storage_get = command('WR_local_storage_get', ({ key }, ctx) =>
  readEntry(ctx.webdriver, ctx, 'localStorage', key),
);

export const WR_local_storage_remove = command('WR_local_storage_remove', ({ key }, ctx) =>
  removeEntry(ctx.webdriver, ctx, 'localStorage', key),
);

export const WR_local_storage_set = command('WR_local_storage_set', (entry, ctx) =>
  writeEntry(ctx.webdriver, ctx, 'localStorage', entry),
);

export const WR_session_storage_clear = command('WR_session_storage_clear', (_, ctx) =>
  clearEntries(ctx.webdriver, ctx, 'sessionStorage'),
);

export const WR_session_storage_get = command('WR_session_storage_get', ({ key }, ctx) =>
  readEntry(ctx.webdriver, ctx, 'sessionStorage', key),
);

export const WR_session_storage_set = command('WR_session_storage_set', (entry, ctx) =>
  writeEntry(ctx.webdriver, ctx, 'sessionStorage', entry),
);

export const WR_indexed_db_drop = command('WR_indexed_db_drop', ({ db_name }, ctx) =>
  dropDatabase(ctx.webdriver, ctx, db_name),
);

export const WR_save_storage_state = command('WR_save_storage_state', async ({ path }, ctx) => {
  const cookies = await allCookies(ctx.webdriver.current, ctx);
  return keepState({ cookies, origins: await originOf(ctx.webdriver, ctx) }, path, ctx);
});

export const WR_load_storage_state = command('WR_load_storage_state', async ({ path }, ctx) => {
  const state = await keptState(path, ctx);
  await replaceCookies(ctx.webdriver.current, ctx, state.cookies);
  await restoreOrigin(ctx.webdriver, ctx, state);
  return countsOf(state);
});
