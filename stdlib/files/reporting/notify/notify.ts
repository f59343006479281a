import { command } from '#stdlib/command.ts';

export const FA_notify_send = command('FA_notify_send', ({ subject, body, level }, ctx) =>
  ctx.notify.send({ subject, body, level }, ctx.signal),
);

export const FA_notify_list = command('FA_notify_list', (_params, ctx) => [...ctx.notify.list()]);

export const FA_notify_register = command('FA_notify_register', ({ type, name, options }, ctx) =>
  ctx.notify.register(type, name, options, ctx.signal),
);

export const FA_notify_unregister = command('FA_notify_unregister', ({ name }, ctx) => ctx.notify.unregister(name));

export const FA_notify_unregister_all = command('FA_notify_unregister_all', (_params, ctx) =>
  ctx.notify.unregisterAll(),
);

export const FA_notify_configure = command('FA_notify_configure', ({ dedup_seconds }, ctx) => {
  ctx.notify.configure(dedup_seconds);
  return null;
});
