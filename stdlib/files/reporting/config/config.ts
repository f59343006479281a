import type { Ports } from '#runtime/kernel/ports.ts';
import { command } from '#stdlib/command.ts';

type Summary = Awaited<ReturnType<Ports['config']['load']>>;

export const FA_config_load = command('FA_config_load', async ({ path, apply }, ctx) =>
  shown(await ctx.config.load(path, { apply, signal: ctx.signal })),
);

export const FA_config_reload = command('FA_config_reload', (_, ctx) => ctx.config.reload());

export const FA_config_watch_start = command('FA_config_watch_start', async ({ path, interval, on_change }, ctx) =>
  shown(await ctx.config.watch(path, { interval, onChange: on_change, signal: ctx.signal })),
);

export const FA_config_watch_stop = command('FA_config_watch_stop', (_, ctx) => ctx.config.unwatch());

function shown({ source, sinks, dedupSeconds }: Summary): {
  source: string;
  sinks: string[];
  dedup_seconds: number | null;
} {
  return { source, sinks: [...sinks], dedup_seconds: dedupSeconds };
}
