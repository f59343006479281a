import { command } from '#stdlib/command.ts';

export const FA_metrics_render = command('FA_metrics_render', (_params, ctx) => ctx.metrics.render().text);
