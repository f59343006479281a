interface Group<Item> {
  readonly start: number;
  readonly end: number;
  readonly items: Item[];
}

/**
 * Ranges of a text, each with something; which of them hold a place is found in time that grows with their number, not
 * with that of all.
 */
export class Ranges<Item> {
  readonly #groups: readonly Group<Item>[];
  /** The furthest end below each node of a tree in an array: the groups are its leaves. */
  readonly #furthest: readonly number[];
  /** The first start below each node. */
  readonly #first: readonly number[];

  constructor(entries: Iterable<{ readonly start: number; readonly end: number; readonly item: Item }>) {
    const groups = new Map<string, Group<Item>>();
    for (const { start, end, item } of entries) {
      const key = `${start}:${end}`;
      const group = groups.get(key);
      if (group) group.items.push(item);
      else groups.set(key, { start, end, items: [item] });
    }
    this.#groups = [...groups.values()].toSorted((a, b) => a.start - b.start);
    const count = this.#groups.length;
    const furthest = [...Array.from({ length: count }, () => 0), ...this.#groups.map(({ end }) => end)];
    const first = [...Array.from({ length: count }, () => 0), ...this.#groups.map(({ start }) => start)];
    for (let node = count - 1; node > 0; node -= 1) {
      furthest[node] = Math.max(furthest[2 * node] ?? 0, furthest[2 * node + 1] ?? 0);
      first[node] = Math.min(first[2 * node] ?? 0, first[2 * node + 1] ?? 0);
    }
    this.#furthest = furthest;
    this.#first = first;
  }

  /** Items whose range holds the place. Items with the same range come as one list, always the same one. */
  at(place: number): readonly (readonly Item[])[] {
    const found: (readonly Item[])[] = [];
    const count = this.#groups.length;
    const waiting = count === 0 ? [] : [1];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if ((this.#furthest[node] ?? 0) <= place || (this.#first[node] ?? 0) > place) continue;
      if (node < count) waiting.push(2 * node + 1, 2 * node);
      else found.push(this.#groups[node - count]?.items ?? []);
    }
    return found;
  }
}
