/** Paths of each kind that the text names. */
const MOST_NAMED = 10;

type How = 'created' | 'updated';

/** Paths of the snapshots that a unit has stored. One that it made and wrote again is a new one. */
export class StoredPaths {
  readonly #paths = new Map<string, How>();

  add(path: string, how: How): void {
    if (!this.#paths.has(path)) this.#paths.set(path, how);
  }

  get any(): boolean {
    return this.#paths.size > 0;
  }

  get lists(): { readonly created: string[]; readonly updated: string[] } {
    return { created: this.#of('created'), updated: this.#of('updated') };
  }

  /** `snapshots stored: 2 new (a.snap, b.json), 1 updated (shop.png)`. */
  get text(): string {
    const { created, updated } = this.lists;
    return `snapshots stored: ${[...part(created, 'new'), ...part(updated, 'updated')].join(', ')}`;
  }

  #of(how: How): string[] {
    return [...this.#paths].filter(([, each]) => each === how).map(([path]) => path);
  }
}

function part(paths: readonly string[], word: string): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length - MOST_NAMED;
  const named = [...paths.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])];
  return [`${paths.length} ${word} (${named.join(', ')})`];
}
