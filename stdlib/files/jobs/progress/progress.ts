import { command } from '#stdlib/command.ts';

export const FA_progress_list = command('FA_progress_list', (_, ctx) =>
  ctx.progress.list().map((snapshot) => ({ ...snapshot })),
);

export const FA_progress_cancel = command('FA_progress_cancel', ({ name }, ctx) => ctx.progress.cancel(name));

export const FA_progress_clear = command('FA_progress_clear', (_, ctx) => ctx.progress.clear());
