import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { ActionList } from './execute.ts';
import { SharedSession, type SharedOptions } from './shared-session.ts';

export type WatcherSnapshot = CommandMap['FA_watch_start']['result'];
type EventKind = 'created' | 'modified' | 'deleted' | 'moved';

export interface WatchOptions {
  /** Created and modified by default. */
  readonly events?: EventKind | readonly EventKind[] | null;
  /** Also watch sub-folders; true by default. */
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

/** Named watchers, until they are stopped; they keep the process alive. Rules are those of `FA_watch_start`. */
export class TriggerManager implements AsyncDisposable {
  readonly #session: SharedSession;

  constructor(options: SharedOptions = {}) {
    this.#session = new SharedSession(options);
  }

  /** Resolves when changes are seen. Rejects with `TriggerException`, and for a list that does not check. */
  start(name: string, path: string, action_list: ActionList, options: WatchOptions = {}): Promise<WatcherSnapshot> {
    return this.#session.action('FA_watch_start', { name, path, action_list, ...(options as JsonObject) });
  }

  stop(name: string): Promise<WatcherSnapshot> {
    return this.#session.action('FA_watch_stop', { name });
  }

  stop_all(): Promise<readonly WatcherSnapshot[]> {
    return this.#session.action('FA_watch_stop_all', {});
  }

  list(): Promise<readonly WatcherSnapshot[]> {
    return this.#session.action('FA_watch_list', {});
  }

  /** Stops all, and lets go of what their lists have opened. */
  async close(): Promise<void> {
    await this.stop_all();
    await this.#session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** One watcher, which may be started again after it was stopped. */
export class FileWatcher implements AsyncDisposable {
  readonly #manager: TriggerManager;
  readonly #given: readonly [name: string, path: string, action_list: ActionList, options: WatchOptions];
  #last: WatcherSnapshot | undefined;

  constructor(name: string, path: string, action_list: ActionList, options: WatchOptions = {}, session: SharedOptions = {}) {
    this.#manager = new TriggerManager(session);
    this.#given = [name, path, action_list, options];
  }

  async start(): Promise<WatcherSnapshot> {
    return (this.#last = await this.#manager.start(...this.#given));
  }

  /** Stopping one that does not run is harmless. */
  async stop(): Promise<void> {
    if (!this.is_running) return;
    this.#last = await this.#manager.stop(this.#given[0]);
    await this.#manager.close();
  }

  get is_running(): boolean {
    return this.#last?.running ?? false;
  }

  /** Null before the first start. */
  async snapshot(): Promise<WatcherSnapshot | null> {
    const [name] = this.#given;
    if (this.is_running) this.#last = (await this.#manager.list()).find((watcher) => watcher.name === name) ?? this.#last;
    return this.#last ?? null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
