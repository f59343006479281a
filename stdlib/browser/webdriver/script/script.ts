import { command } from '#stdlib/command.ts';

export const WR_execute = command('WR_execute', ({ driver_command, params }, ctx) =>
  ctx.webdriver.current.command(ctx, driver_command, params ?? {}),
);

export const WR_execute_script = command('WR_execute_script', ({ script, args }, ctx) =>
  ctx.webdriver.current.command(ctx, 'executeScript', { script, args: args ?? [] }),
);

export const WR_execute_async_script = command('WR_execute_async_script', ({ script, args }, ctx) =>
  ctx.webdriver.current.command(ctx, 'executeAsyncScript', { script, args: args ?? [] }),
);

export const WR_cdp = command('WR_cdp', ({ method, params }, ctx) =>
  ctx.webdriver.current.protocol(ctx, method, params ?? {}),
);
