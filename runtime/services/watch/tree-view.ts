import { basename, dirname, join } from 'node:path';

import type { Seen } from './change.ts';

/** Files and folders seen below a folder, by path. */
export class TreeView {
  readonly #folders = new Map<string, Map<string, Seen>>();

  get(path: string): Seen | undefined {
    return this.#folders.get(dirname(path))?.get(basename(path));
  }

  /** Undefined: nothing is there. */
  set(path: string, seen: Seen | undefined): void {
    const folder = dirname(path);
    const entries = this.#folders.get(folder) ?? new Map<string, Seen>();
    if (seen) {
      entries.set(basename(path), seen);
      this.#folders.set(folder, entries);
      return;
    }
    entries.delete(basename(path));
    if (entries.size === 0) this.#folders.delete(folder);
  }

  /** Paths of what was seen directly in a folder. */
  in(folder: string): readonly string[] {
    return [...(this.#folders.get(folder)?.keys() ?? [])].map((name) => join(folder, name));
  }
}
