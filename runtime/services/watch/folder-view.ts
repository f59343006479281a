import { basename, dirname, join } from 'node:path';

import type { Ports } from '#runtime/kernel/ports.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Clock, Files } from '#schemas/types/host.ts';

import { isSameThing, seenIn, type Change, type Seen } from './change.ts';
import { netChanges } from './net-changes.ts';
import { lookAt } from './own-writes.ts';
import { TreeView } from './tree-view.ts';

/** Interval (ms) of the check that the folder itself is still the same. */
const ROOT_MS = 1000;
/** A new folder is looked into again after this time: what came before it was watched is in no event. */
const SECOND_LOOK_MS = 1000;
/**
 * So many events in one go: the system may have dropped some, and tells nobody. Then everything is looked at once more.
 */
const MANY_EVENTS = 4000;
/** So many paths are looked at side by side. */
const AT_ONCE = 32;

export interface FolderViewTools {
  readonly files: Files;
  readonly clock: Clock;
  readonly events: Ports['fileEvents'];
}

export interface FolderViewOptions {
  /** Absolute, links resolved. */
  readonly folder: string;
  /** The one name in it that matters. */
  readonly only?: string;
  readonly recursive: boolean;
  /** Milliseconds for which changes are collected. */
  readonly collectMs: number;
  readonly onChanges: (changes: readonly Change[]) => void;
  readonly onTrouble: (error: Error) => void;
  /** Whether a change is not to be told: it is known where it comes from. */
  readonly isKnown: (path: string, seen: Seen | undefined) => boolean;
  /** Whether a path is to be looked at later. */
  readonly isBusy: (path: string) => boolean;
}

type OpenWatch = Awaited<ReturnType<Ports['fileEvents']['watch']>>;

/**
 * Tells what changes below a folder. Events of the system only say where to look; what is told is the difference to the
 * last look, so that doubled, missing and misleading events do no harm. The folder may vanish, come back, and be
 * replaced.
 */
export class FolderView {
  readonly #tools: FolderViewTools;
  readonly #options: FolderViewOptions;
  readonly #view = new TreeView();
  readonly #touched = new Set<string>();
  readonly #timers = new Set<() => void>();
  #collecting = false;
  /** Events since the last look at all. */
  #events = 0;
  #recounting = false;
  #looking: Promise<void> = Promise.resolve();
  #root: Seen | undefined;
  #watch: OpenWatch | undefined;
  #started = false;
  #stopped = false;

  constructor(tools: FolderViewTools, options: FolderViewOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  /** Resolves when changes are seen; rejects with the error of the system. */
  async start(): Promise<void> {
    const { files } = this.#tools;
    const { folder } = this.#options;
    this.#root = seenIn(await files.lstat(folder));
    this.#watch = await this.#open();
    await this.#look([folder], true, false);
    this.#started = true;
    this.#later(ROOT_MS, () => void this.#checkRoot());
  }

  /** Nothing is told any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    await this.#looking;
    await this.#watch?.close();
  }

  #open(): Promise<OpenWatch> {
    const { folder, recursive, only, onTrouble } = this.#options;
    return this.#tools.events.watch(folder, {
      recursive: recursive && only === undefined,
      onTouched: (path) => this.#touch(path),
      onError: onTrouble,
    });
  }

  #touch(path: string): void {
    const { folder, only } = this.#options;
    if (this.#stopped || isTemporary(path)) return;
    if (only !== undefined && path !== folder && path !== join(folder, only)) return;
    this.#touched.add(path);
    this.#events++;
    if (this.#events > MANY_EVENTS) this.#lookAtAllWhenQuiet();
    if (this.#collecting) return;
    this.#collecting = true;
    this.#later(this.#options.collectMs, () => {
      this.#collecting = false;
      const paths = [...this.#touched];
      this.#touched.clear();
      void this.#enqueue(() => this.#look(paths, false, true));
    });
  }

  /** Looks at everything after a second without events, or after ten seconds that were never quiet. */
  #lookAtAllWhenQuiet(tries = 10): void {
    if (this.#recounting) return;
    this.#recounting = true;
    const before = this.#events;
    this.#later(SECOND_LOOK_MS, () => {
      this.#recounting = false;
      if (this.#events !== before && tries > 1) return this.#lookAtAllWhenQuiet(tries - 1);
      this.#events = 0;
      void this.#enqueue(() => this.#look([this.#options.folder], true, true));
    });
  }

  /** One look at a time, in order. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      if (this.#stopped) return;
      try {
        await work();
      } catch (error) {
        this.#options.onTrouble(error instanceof Error ? error : new Error(String(error)));
      }
    });
    return this.#looking;
  }

  /** `whole`: everything below the paths, not only what has not been seen before. */
  async #look(paths: readonly string[], whole: boolean, tells: boolean): Promise<void> {
    const found = new Map<string, Seen | undefined>();
    let level: readonly string[] = paths;
    while (level.length > 0 && !this.#stopped) level = await this.#lookAtAll(level, found, whole);
    const { folder, isKnown, isBusy } = this.#options;
    found.delete(folder);
    const looks = [...found].map(([path, after]) => ({ path, before: this.#view.get(path), after }));
    const told = looks.filter(({ path, after }) => {
      if (tells && isBusy(path)) {
        this.#touch(path);
        return false;
      }
      return !isKnown(path, after);
    });
    for (const { path, after } of looks) if (!tells || !isBusy(path)) this.#view.set(path, after);
    const changes = tells ? netChanges(told) : [];
    if (changes.length > 0 && !this.#stopped) this.#options.onChanges(changes);
  }

  /** Yields what has to be looked at next: what is in new, changed and vanished folders. */
  async #lookAtAll(
    paths: readonly string[],
    found: Map<string, Seen | undefined>,
    whole: boolean,
  ): Promise<readonly string[]> {
    const next: string[] = [];
    const fresh = paths.filter((path) => !found.has(path) && !isTemporary(path));
    for (let begin = 0; begin < fresh.length; begin += AT_ONCE) {
      const part = fresh.slice(begin, begin + AT_ONCE);
      const seen = await Promise.all(part.map((path) => lookAt(this.#tools.files, path)));
      for (const [index, path] of part.entries()) {
        found.set(path, seen[index]);
        await this.#lookInto(path, seen[index], { found, next, whole });
      }
    }
    return next;
  }

  async #lookInto(
    path: string,
    after: Seen | undefined,
    look: { readonly found: Map<string, Seen | undefined>; readonly next: string[]; readonly whole: boolean },
  ): Promise<void> {
    const { folder, recursive, only } = this.#options;
    const before = path === folder ? this.#root : this.#view.get(path);
    if (only !== undefined) return void (path === folder && look.next.push(join(folder, only)));
    if (!recursive && path !== folder) return;
    const known = this.#view.in(path);
    if (after?.kind !== 'directory') return void addAll(look.next, known);
    if (path !== folder) this.#follow(path, before, after, look.whole);
    const entries = await this.#tools.files.survey(path).catch(() => []);
    const names = new Set(entries.map(({ name }) => join(path, name)));
    addAll(
      look.next,
      known.filter((child) => !names.has(child)),
    );
    for (const { name, stat } of entries) {
      const child = join(path, name);
      const earlier = this.#view.get(child);
      const isFolder = stat.kind === 'directory' || earlier?.kind === 'directory';
      if (isFolder && (look.whole || !earlier || !isSameThing(earlier, stat))) look.next.push(child);
      else if (!look.found.has(child) && !isTemporary(child)) look.found.set(child, seenIn(stat));
    }
  }

  /** Sees to it that a new folder, or one that took the place of another, is watched with all that is in it. */
  #follow(path: string, before: Seen | undefined, after: Seen, missed: boolean): void {
    if (!this.#started || (before && isSameThing(before, after))) return;
    if (before || missed) this.#watch?.renew(path);
    this.#later(SECOND_LOOK_MS, () => void this.#enqueue(() => this.#look([path], true, true)));
  }

  async #checkRoot(): Promise<void> {
    await this.#enqueue(async () => {
      const { folder } = this.#options;
      const now = await lookAt(this.#tools.files, folder);
      if (now && this.#root && isSameThing(now, this.#root)) return;
      if (!now && !this.#root) return;
      await this.#watch?.close();
      this.#watch = undefined;
      this.#root = undefined;
      if (now?.kind === 'directory') {
        this.#watch = await this.#open();
        this.#root = now;
      }
      await this.#look([folder], true, true);
    });
    this.#later(ROOT_MS, () => void this.#checkRoot());
  }

  #later(ms: number, work: () => void): void {
    if (this.#stopped) return;
    const cancel = this.#tools.clock.timer(ms, () => {
      this.#timers.delete(cancel);
      work();
    });
    this.#timers.add(cancel);
  }
}

/** Content on its way: this program and many others write it beside its target, under a hidden name, and rename it. */
function isTemporary(path: string): boolean {
  return basename(path).startsWith('.') && path.endsWith('.tmp');
}

/** The folder to watch for a path, and the one name in it that matters where the path is no folder. */
export async function placeToWatch(
  files: Files,
  path: string,
): Promise<{ readonly folder: string; readonly only?: string }> {
  const real = await files.realPath(path);
  const { kind } = await files.lstat(real);
  return kind === 'directory' ? { folder: real } : { folder: dirname(real), only: basename(real) };
}
