import type { EventKind } from '#runtime/services/watch/port.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { ActionList } from './execute.ts';
import { SharedSession, type SharedOptions } from './shared-session.ts';

export type { EventKind };

/** A watcher as it is now, with the result of its last run. */
export type WatcherSnapshot = CommandMap['FA_watch_start']['result'];

/** Options that say which changes call the function, and when. */
export interface WatchOptions {
  /** Created and modified by default. */
  readonly events?: EventKind | readonly EventKind[] | null;
  /** Whether sub-folders are watched too; true by default. */
  readonly recursive?: boolean;
  /** Names that count, such as `*.csv`. */
  readonly pattern?: string | readonly string[] | null;
  /** Seconds for which a file must keep size and time before it is told of. */
  readonly settle?: number;
  /** Milliseconds for which changes are collected; 250 by default. */
  readonly debounce_ms?: number;
  /** Run the list once for each changed path; by default where it asks for `${event.…}`. */
  readonly each?: boolean | null;
}

/**
 * The watchers of a session, until they are stopped; they keep the process alive. Rules are those of `FA_watch_start`.
 */
export class TriggerManager implements AsyncDisposable {
  readonly #session: SharedSession;

  constructor(options: SharedOptions = {}) {
    this.#session = new SharedSession(options);
  }

  /** Resolves when changes are seen. Rejects with `TriggerException`, and for a list that does not check. */
  start(name: string, path: string, action_list: ActionList, options: WatchOptions = {}): Promise<WatcherSnapshot> {
    return this.#session.action('FA_watch_start', { name, path, action_list, ...(options as JsonObject) });
  }

  /** Answers with the watcher as it was. Rejects with `TriggerException` for an unknown name. */
  stop(name: string): Promise<WatcherSnapshot> {
    return this.#session.action('FA_watch_stop', { name });
  }

  /** Answers with the watchers as they were. */
  stop_all(): Promise<readonly WatcherSnapshot[]> {
    return this.#session.action('FA_watch_stop_all', {});
  }

  /** Watchers that run. */
  list(): Promise<readonly WatcherSnapshot[]> {
    return this.#session.action('FA_watch_list', {});
  }

  /** Stops all, and lets go of what their lists have opened. */
  close(): Promise<void> {
    return this.#session.closeAfter(() => this.stop_all());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** One watcher, which may be started again after it was stopped. */
export class FileWatcher implements AsyncDisposable {
  readonly #session: SharedSession;
  readonly #params: JsonObject & { readonly name: string };
  #last: WatcherSnapshot | undefined;
  #starting: Promise<WatcherSnapshot> | undefined;

  /** Nothing is watched before `start`. */
  constructor(
    name: string,
    path: string,
    action_list: ActionList,
    options: WatchOptions = {},
    session: SharedOptions = {},
  ) {
    this.#session = new SharedSession(session);
    this.#params = { name, path, action_list, ...(options as JsonObject) };
  }

  /** Resolves when changes are seen; rejects as `TriggerManager.start` does. */
  async start(): Promise<WatcherSnapshot> {
    this.#starting = this.#session.action('FA_watch_start', this.#params);
    return (this.#last = await this.#starting);
  }

  /** Stopping one that does not run is harmless; one that is just being started is stopped as well. */
  async stop(): Promise<void> {
    const { name } = this.#params;
    await this.#starting?.catch(() => undefined);
    await this.#session.closeAfter(async () => {
      if ((await this.snapshot())?.running) this.#last = await this.#session.action('FA_watch_stop', { name });
    });
    if (this.#last?.running) this.#last = { ...this.#last, running: false };
  }

  /** Whether it ran when it was last asked or told; a list may stop its own watcher. */
  get is_running(): boolean {
    return this.#last?.running ?? false;
  }

  /** State of the watcher at this moment; null before the first start. */
  async snapshot(): Promise<WatcherSnapshot | null> {
    if (!this.#last?.running) return this.#last ?? null;
    const running = await this.#session.action('FA_watch_list', {});
    this.#last = running.find(({ name }) => name === this.#params.name) ?? { ...this.#last, running: false };
    return this.#last;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
