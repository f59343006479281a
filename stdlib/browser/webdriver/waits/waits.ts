import { command } from '#stdlib/command.ts';

import { wait } from './wait.ts';

export const WR_explicit_wait = command('WR_explicit_wait', ({ wait_time, method, until_type, condition }, ctx) =>
  wait(ctx, { seconds: wait_time, until: until_type, condition, method: method ?? undefined }),
);

export const WR_implicitly_wait = command('WR_implicitly_wait', ({ time_to_wait }, ctx) =>
  ctx.webdriver.current.setTimeouts(ctx, { implicit: time_to_wait }),
);

export const WR_set_page_load_timeout = command('WR_set_page_load_timeout', ({ time_to_wait }, ctx) =>
  ctx.webdriver.current.setTimeouts(ctx, { pageLoad: time_to_wait }),
);

export const WR_set_script_timeout = command('WR_set_script_timeout', ({ time_to_wait }, ctx) =>
  ctx.webdriver.current.setTimeouts(ctx, { script: time_to_wait }),
);
