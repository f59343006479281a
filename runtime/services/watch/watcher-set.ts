import { join, resolve } from 'node:path';

import { nearest } from '#grammar/language/nearest.ts';
import type { BackgroundJob, StepInfo } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { placeToWatch } from './folder-view.ts';
import type { NewWatcher, Watchers, WatcherSnapshot } from './port.ts';
import { Watcher, type WatcherTools } from './watcher.ts';

/** Time (ms) that a stop waits for the run at work. */
const WAIT_MS = 5000;

export interface WatcherSetTools extends WatcherTools {
  /** Home folder, for `~`. */
  readonly home: string | undefined;
  /** Told of each watcher that was started. Its `stop` waits for its run; one that takes long is cancelled. */
  readonly onStarted?: (watcher: BackgroundJob) => void;
}

export class WatcherSet implements Watchers {
  readonly #tools: WatcherSetTools;
  readonly #watchers = new Map<string, Watcher>();
  readonly #given = new WeakMap<Watcher, NewWatcher>();
  readonly #starting = new Set<string>();
  readonly #gone = new Map<Watcher, () => void>();

  constructor(tools: WatcherSetTools) {
    this.#tools = tools;
  }

  async start(given: NewWatcher, signal: AbortSignal): Promise<WatcherSnapshot> {
    const { name } = given;
    if (this.#watchers.has(name) || this.#starting.has(name)) throw fail.watcherExists({ name });
    this.#starting.add(name);
    try {
      const watcher = await this.#open(given, signal);
      this.#watchers.set(name, watcher);
      this.#given.set(watcher, given);
      this.#keep(name, watcher);
      return watcher.snapshot;
    } catch (cause) {
      signal.throwIfAborted();
      throw fail.watchNotStarted({
        path: given.path,
        reason: cause instanceof Error ? cause.message : String(cause),
        cause,
      });
    } finally {
      this.#starting.delete(name);
    }
  }

  async stop(name: string, by?: StepInfo): Promise<WatcherSnapshot> {
    const watcher = this.#watchers.get(name);
    if (!watcher) throw fail.watcherUnknown({ name, nearest: nearest(name, [...this.#watchers.keys()]) });
    await this.#end(name, watcher);
    const call = this.#given.get(watcher)?.step;
    const isOwn = call !== undefined && by?.around?.includes(call) === true;
    if (!isOwn) await this.#withinTime(watcher.idle());
    return watcher.snapshot;
  }

  /** Remembers who watches; what it yields stops the others, and starts again those of them that were stopped. */
  save(): () => Promise<void> {
    const before = [...this.#watchers].map(([name, watcher]) => ({ name, watcher, given: this.#given.get(watcher) }));
    return async () => {
      for (const [name, watcher] of this.#watchers)
        if (!before.some((each) => each.watcher === watcher)) await this.stop(name);
      for (const each of before) {
        if (this.#watchers.get(each.name) === each.watcher || !each.given) continue;
        await this.start(each.given, new AbortController().signal);
        each.watcher = this.#watchers.get(each.name) ?? each.watcher;
      }
    };
  }

  list(): readonly WatcherSnapshot[] {
    return [...this.#watchers.values()].map((watcher) => watcher.snapshot);
  }

  async #open({ events, wants = () => true, ...given }: NewWatcher, signal: AbortSignal): Promise<Watcher> {
    const { files, cwd, home } = this.#tools;
    const path =
      home !== undefined && /^~(?:[\\/]|$)/.test(given.path)
        ? join(home, given.path.slice(1))
        : resolve(cwd, given.path);
    const place = await placeToWatch(files, path);
    const real = place.only === undefined ? place.folder : join(place.folder, place.only);
    const watcher = new Watcher(this.#tools, {
      ...given,
      path: real,
      place,
      wants,
      events: events && events.length > 0 ? events : ['created', 'modified'],
    });
    try {
      await watcher.start();
      signal.throwIfAborted();
    } catch (error) {
      await watcher.stop();
      throw error;
    }
    return watcher;
  }

  #keep(name: string, watcher: Watcher): void {
    const gone = new Promise<void>((resolve) => this.#gone.set(watcher, resolve));
    this.#tools.onStarted?.({
      name,
      done: gone.then(() => watcher.idle()),
      stop: async () => {
        await this.#end(name, watcher);
        await watcher.runs.end();
        await watcher.idle();
      },
    });
  }

  async #end(name: string, watcher: Watcher): Promise<void> {
    if (this.#watchers.get(name) === watcher) this.#watchers.delete(name);
    await watcher.stop();
    this.#gone.get(watcher)?.();
    this.#gone.delete(watcher);
  }

  async #withinTime(work: Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => {
      const endTimer = this.#tools.clock.timer(WAIT_MS, resolve);
      void work.then(() => {
        endTimer();
        resolve();
      });
    });
  }
}
