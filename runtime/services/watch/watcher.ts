import { basename, dirname, extname } from 'node:path';

import { ListRuns } from '#runtime/services/schedule/list-runs.ts';
import type { Clock, Files } from '#schemas/types/host.ts';

import type { Change } from './change.ts';
import { FolderView, type FolderViewTools } from './folder-view.ts';
import { lookAt, OwnWrites } from './own-writes.ts';
import { Pending } from './pending.ts';
import type { EventKind, NewWatcher, WatcherSnapshot } from './port.ts';

/** Interval (ms) at which a file that may still grow is looked at. */
const GROWTH_MS = 250;

export interface WatcherTools extends FolderViewTools {
  readonly files: Files;
  readonly clock: Clock;
  readonly cwd: string;
  readonly onFailed: (name: string, text: string) => void | Promise<void>;
  readonly onTrouble: (name: string, error: Error) => void;
}

export type WatcherOptions = Required<
  Pick<NewWatcher, 'name' | 'list' | 'each' | 'events' | 'recursive' | 'wants' | 'settleMs' | 'debounceMs'>
> & {
  readonly path: string;
  readonly place: { readonly folder: string; readonly only?: string };
};

/**
 * One watcher: which changes count, when the list runs, and what it is told. One run at a time; what changes meanwhile
 * waits for the next.
 */
export class Watcher {
  readonly runs: ListRuns;
  readonly #tools: WatcherTools;
  readonly #options: WatcherOptions;
  readonly #own: OwnWrites;
  readonly #view: FolderView;
  readonly #pending = new Pending();
  #batch: Promise<void> | undefined;
  #cancelPoll: (() => void) | undefined;
  #count = 0;
  #stopped = false;

  constructor(tools: WatcherTools, options: WatcherOptions) {
    const { name, list, place, recursive, debounceMs } = options;
    this.#tools = tools;
    this.#options = options;
    this.runs = new ListRuns({ list, clock: tools.clock, onFailed: (text) => tools.onFailed(name, text) });
    this.#own = new OwnWrites(tools.files, { cwd: tools.cwd, folder: place.folder }, tools.clock.now);
    this.#view = new FolderView(tools, {
      ...place,
      recursive,
      collectMs: debounceMs,
      onChanges: (changes) => this.#collect(changes),
      onTrouble: (error) => tools.onTrouble(name, error),
      isKnown: (path, seen) => this.#own.has(path, seen),
      isBusy: (path) => this.#own.isBusy(path),
    });
  }

  start(): Promise<void> {
    return this.#view.start();
  }

  /** Nothing begins any more; a run at work goes on. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelPoll?.();
    await this.#view.stop();
  }

  /** Resolves when no run is at work, and failures have been told. */
  async idle(): Promise<void> {
    await this.#batch;
    await this.runs.idle();
  }

  get snapshot(): WatcherSnapshot {
    const { name, path, events, recursive } = this.#options;
    return {
      name,
      path,
      events,
      recursive,
      running: !this.#stopped,
      actions: this.runs.actions,
      runs: this.#count,
      last: this.runs.last,
    };
  }

  #collect(changes: readonly Change[]): void {
    const now = this.#tools.clock.monotonic();
    for (const change of changes) this.#pending.add(change, now);
    this.#next();
  }

  #next(): void {
    if (this.#stopped || this.#batch) return;
    const now = this.#tools.clock.monotonic();
    const { settleMs } = this.#options;
    const ready = this.#pending.take(
      ({ change, since }) => settleMs === 0 || change.seen?.kind !== 'file' || now - since >= settleMs,
    );
    const told = ready.map((change) => this.#asWanted(change)).filter((change) => change !== undefined);
    if (told.length > 0) {
      this.#batch = this.#run(told).finally(() => {
        this.#batch = undefined;
        this.#own.forgetOld();
        this.#next();
      });
    }
    if (this.#pending.size > 0) this.#pollGrowth();
  }

  async #run(changes: readonly Change[]): Promise<void> {
    for (const change of this.#options.each ? changes : changes.slice(-1)) {
      if (this.#stopped) return;
      this.#count++;
      await this.runs.start({ event: eventOf(change), onWrite: this.#own });
    }
  }

  /** The change as somebody sees it who knows only the names that are wanted. */
  #asWanted(change: Change): Change | undefined {
    const { wants, events } = this.#options;
    const counts = (kind: EventKind): boolean => events.includes(kind);
    const { type, path, dest, replaces } = change;
    if (type !== 'moved' || dest === undefined) return counts(type) && wants(basename(path)) ? change : undefined;
    const isOld = wants(basename(path));
    if (!wants(basename(dest))) return isOld && counts('deleted') ? { type: 'deleted', path } : undefined;
    if (isOld && counts('moved')) return change;
    const kind = replaces ? 'modified' : 'created';
    // Within what is wanted it is no new file; what it has replaced has new content.
    return (!isOld || replaces) && counts(kind) ? { type: kind, path: dest } : undefined;
  }

  /**
   * A file that grows without events of the system (written through a mapping, or from another machine) is noticed too.
   */
  #pollGrowth(): void {
    if (this.#cancelPoll || this.#stopped) return;
    const { clock, files } = this.#tools;
    this.#cancelPoll = clock.timer(Math.min(GROWTH_MS, this.#options.settleMs || GROWTH_MS), () => {
      void (async () => {
        for (const { change } of this.#pending.entries()) {
          const seen = change.seen?.kind === 'file' ? await lookAt(files, change.dest ?? change.path) : undefined;
          if (seen && change.seen && (seen.size !== change.seen.size || seen.mtime_ms !== change.seen.mtime_ms))
            this.#pending.add({ type: 'modified', path: change.dest ?? change.path, seen }, clock.monotonic());
        }
        this.#cancelPoll = undefined;
        this.#next();
      })();
    });
  }
}

function eventOf({ type, path, dest }: Change): Readonly<Record<string, string>> {
  const name = basename(path);
  return {
    type,
    path,
    name,
    stem: basename(name, extname(name)),
    dir: dirname(path),
    ...(dest !== undefined && { dest }),
  };
}
