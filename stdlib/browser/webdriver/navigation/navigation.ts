import { command } from '#stdlib/command.ts';

export const WR_to_url = command('WR_to_url', ({ url }, ctx) => ctx.webdriver.current.open(ctx, url));

export const WR_back = command('WR_back', (_, ctx) =>
  ctx.webdriver.current.navigate(ctx, (driver) => driver.navigate().back()),
);

export const WR_forward = command('WR_forward', (_, ctx) =>
  ctx.webdriver.current.navigate(ctx, (driver) => driver.navigate().forward()),
);

export const WR_refresh = command('WR_refresh', (_, ctx) =>
  ctx.webdriver.current.navigate(ctx, (driver) => driver.navigate().refresh()),
);
