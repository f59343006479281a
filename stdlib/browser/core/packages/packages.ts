import { command } from '#stdlib/command.ts';

export const WR_add_package_to_executor = command('WR_add_package_to_executor', ({ package: name }, ctx) =>
  ctx.modules.load(name),
);

export const WR_add_package_to_callback_executor = command(
  'WR_add_package_to_callback_executor',
  ({ package: name }, ctx) => ctx.modules.loadForCallbacks(name),
);
