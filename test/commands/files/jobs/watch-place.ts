import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { provider as fileEvents } from '#runtime/adapters/file-events/provider.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { BackgroundJob, Block, BlockOptions, BlockOutcome, PortContext } from '#runtime/kernel/ports.ts';
import type { NewWatcher } from '#runtime/services/watch/port.ts';
import { WatcherSet } from '#runtime/services/watch/watcher-set.ts';

import { openPlace, type Place } from '../call-here.ts';

export interface WatchPlace extends AsyncDisposable {
  readonly place: Place;
  readonly watchers: WatcherSet;
  readonly handles: readonly BackgroundJob[];
  readonly failed: readonly string[];
  readonly troubles: readonly string[];
  /** Events that runs were told of: `type path`, `moved from -> to`; paths from the watched folder `in`. */
  readonly told: string[];
  /** Starts a watcher of `in`, one run for each change, that collects for 60 ms. */
  start(
    options?: Partial<NewWatcher> & { readonly does?: (options: BlockOptions) => unknown },
    signal?: AbortSignal,
  ): Promise<void>;
  /** Writes files below `in`, with their folders. */
  write(files: Readonly<Record<string, string>>): void;
  path(name: string): string;
}

export const nothing: BlockOutcome = { failed: 0, results: [], steps: [] };

/** Watchers of a real folder, told by the real system. */
export async function openWatchPlace(): Promise<WatchPlace> {
  const place = await openPlace();
  const host = nodeHost();
  const told: string[] = [];
  const failed: string[] = [];
  const troubles: string[] = [];
  const handles: BackgroundJob[] = [];
  const watchers = new WatcherSet({
    files: host.files,
    clock: host.clock,
    cwd: place.root,
    home: place.root,
    events: await fileEvents.open({} as PortContext),
    onFailed: (name, text) => void failed.push(`${name}: ${text}`),
    onTrouble: (name, error) => void troubles.push(`${name}: ${error.message}`),
    onStarted: (watcher) => void handles.push(watcher),
  });
  const base = place.path('in');
  mkdirSync(base);
  const shown = (path = ''): string => path.replace(`${base}/`, '');
  return {
    place,
    watchers,
    handles,
    failed,
    troubles,
    told,
    start: async ({ does = () => undefined, ...options } = {}, signal = new AbortController().signal) => {
      const list: Pick<Block, 'length' | 'run'> = {
        length: 1,
        run: async (given = {}) => {
          const { type = '', path, dest } = given.event ?? {};
          told.push(dest === undefined ? `${type} ${shown(path)}` : `${type} ${shown(path)} -> ${shown(dest)}`);
          await does(given);
          return nothing;
        },
      };
      await watchers.start(
        { name: 'w', path: 'in', list, each: true, recursive: true, settleMs: 0, debounceMs: 60, ...options },
        signal,
      );
    },
    write: (files) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(base, name)), { recursive: true });
        writeFileSync(join(base, name), content);
      }
    },
    path: (name) => join(base, name),
    [Symbol.asyncDispose]: async () => {
      for (const handle of handles) await handle.stop();
      await place.close();
    },
  };
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until it is so, at most ten seconds; then for a moment more, in case there is too much. */
export async function until(isSo: () => boolean, more = 150): Promise<void> {
  const end = Date.now() + 10_000;
  while (!isSo() && Date.now() < end) await wait(10);
  await wait(more);
}
