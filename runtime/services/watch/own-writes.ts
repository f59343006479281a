import { basename, dirname, join, resolve, sep } from 'node:path';

import type { WriteObserver } from '#runtime/kernel/ports.ts';
import type { Files } from '#schemas/types/host.ts';

import { isSameState, isSameThing, seenIn, type Seen } from './change.ts';

/** Time (ms) that a write is remembered: the system tells of it with a delay. */
const REMEMBER_MS = 30_000;

interface Written {
  readonly seen: Seen | undefined;
  /** Wall time when it was done. */
  readonly at: number;
  /** A folder came here with what is in it. */
  readonly isTree: boolean;
}

/**
 * Writes of the watcher's own runs, so that it does not answer itself. Changes that others make to the same
 * paths still counts.
 */
export class OwnWrites implements WriteObserver {
  readonly #files: Files;
  readonly #cwd: string;
  readonly #folder: string;
  readonly #now: () => number;
  readonly #written = new Map<string, Written>();
  readonly #busy = new Map<string, { count: number; readonly there: Promise<Seen | undefined> }>();

  /** `folder`: the watched one, absolute, links resolved; what is written elsewhere does not matter. */
  constructor(files: Files, { cwd, folder }: { readonly cwd: string; readonly folder: string }, now: () => number) {
    this.#files = files;
    this.#cwd = cwd;
    this.#folder = folder;
    this.#now = now;
  }

  async before(path: string): Promise<void> {
    const place = await this.#placeOf(path);
    if (!this.#matters(place)) return;
    const busy = this.#busy.get(place);
    // Said before anything takes time.
    if (busy) busy.count++;
    else this.#busy.set(place, { count: 1, there: lookAt(this.#files, place) });
    await this.#busy.get(place)?.there;
  }

  async after(path: string): Promise<void> {
    const place = await this.#placeOf(path);
    if (!this.#matters(place)) return;
    const busy = this.#busy.get(place);
    await this.#remember(place, await busy?.there);
    if (busy && --busy.count === 0) this.#busy.delete(place);
  }

  /** Something is being written there: what it came to cannot be told yet. */
  isBusy(path: string): boolean {
    return this.#busy.has(path);
  }

  /** Whether what stands at a path is just what a run has left there. */
  has(path: string, seen: Seen | undefined): boolean {
    const written = this.#written.get(path);
    if (written && isSameState(written.seen, seen)) return true;
    for (let folder = dirname(path); this.#matters(folder); folder = dirname(folder)) {
      const around = this.#written.get(folder);
      if (!around) continue;
      // Removed or moved here with all that was in it; what is newer came later.
      if (
        around.seen === undefined
          ? seen === undefined
          : around.isTree && seen !== undefined && seen.mtime_ms <= around.at
      )
        return true;
    }
    return false;
  }

  /** Called when no run is at work. */
  forgetOld(): void {
    const old = this.#now() - REMEMBER_MS;
    for (const [path, { at }] of this.#written) if (at < old || at > old + 2 * REMEMBER_MS) this.#written.delete(path);
  }

  async #remember(place: string, before: Seen | undefined): Promise<void> {
    const seen = await lookAt(this.#files, place);
    const isTree =
      seen?.kind === 'directory' &&
      !(before && isSameThing(before, seen)) &&
      (await this.#files.list(place).catch(() => [])).length > 0;
    this.#written.set(place, { seen, at: this.#now(), isTree });
    // Parent folders that were made on the way.
    for (let folder = dirname(place); this.#matters(folder) && !this.#written.has(folder); folder = dirname(folder)) {
      const parent = await lookAt(this.#files, folder);
      if (parent) this.#written.set(folder, { seen: parent, at: this.#now(), isTree: false });
    }
  }

  #matters(place: string): boolean {
    return place.startsWith(this.#folder.endsWith(sep) ? this.#folder : this.#folder + sep);
  }

  /** Absolute, with the links on the way resolved. */
  async #placeOf(path: string): Promise<string> {
    const place = resolve(this.#cwd, path);
    const missing: string[] = [basename(place)];
    for (let folder = dirname(place); ; folder = dirname(folder)) {
      try {
        return join(await this.#files.realPath(folder), ...missing);
      } catch {
        if (dirname(folder) === folder) return place;
        missing.unshift(basename(folder));
      }
    }
  }
}

export async function lookAt(files: Files, path: string): Promise<Seen | undefined> {
  try {
    return seenIn(await files.lstat(path));
  } catch {
    return undefined;
  }
}
