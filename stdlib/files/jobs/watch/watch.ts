import { command, type Context } from '#stdlib/command.ts';
import { matchesGlob } from '#stdlib/files/glob.ts';

import { shownWatcher } from './shown-watcher.ts';

export const FA_watch_start = command(
  'FA_watch_start',
  async ({ name, path, action_list, events, recursive, pattern, settle, debounce_ms, each }, ctx) => {
    const patterns = pattern === null ? ['*'] : [pattern].flat();
    const kinds = [events ?? []].flat();
    const watcher = await ctx.watch.start(
      {
        name,
        path,
        list: action_list,
        step: ctx.step,
        recursive,
        each: each ?? action_list.asksForEvent,
        events: (['created', 'modified', 'deleted', 'moved'] as const).filter((kind) => kinds.includes(kind)),
        wants: (last) => patterns.some((one) => matchesGlob(last, one)),
        settleMs: settle * 1000,
        debounceMs: debounce_ms,
      },
      ctx.signal,
    );
    return shownWatcher(watcher, ctx.clock);
  },
);

export const FA_watch_stop = command('FA_watch_stop', async ({ name }, ctx) => stop(name, ctx));

export const FA_watch_stop_all = command('FA_watch_stop_all', (_, ctx) =>
  Promise.all(ctx.watch.list().map(({ name }) => stop(name, ctx))),
);

export const FA_watch_list = command('FA_watch_list', (_, ctx) =>
  ctx.watch.list().map((watcher) => shownWatcher(watcher, ctx.clock)),
);

async function stop(name: string, ctx: Context<'FA_watch_stop'>): Promise<ReturnType<typeof shownWatcher>> {
  return shownWatcher(await ctx.watch.stop(name, ctx.step), ctx.clock);
}
