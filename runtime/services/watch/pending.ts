import type { Change } from './change.ts';

interface Entry {
  readonly change: Change;
  /** Monotonic time (ms) of its last change. */
  readonly since: number;
}

/** Changes that wait for a run, one for each path: a later one goes into the earlier, so that they never pile up. */
export class Pending {
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  add(change: Change, now: number): void {
    const merged = change.type === 'moved' ? this.#moved(change, now) : this.#inPlace(change, now);
    if (merged) this.#put(merged, now);
  }

  /** Takes out those that are ready, the longest waiting first. */
  take(isReady: (entry: Entry) => boolean): readonly Change[] {
    const ready = [...this.#entries].filter(([, entry]) => isReady(entry));
    for (const [place] of ready) this.#entries.delete(place);
    return ready.map(([, { change }]) => change);
  }

  entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  #put(change: Change, since: number): void {
    const place = change.dest ?? change.path;
    this.#entries.delete(place);
    this.#entries.set(place, { change, since });
  }

  /** Takes out what waits for a path. */
  #pull(place: string): Change | undefined {
    const earlier = this.#entries.get(place)?.change;
    this.#entries.delete(place);
    return earlier;
  }

  /** Takes up that the first file at a path is gone; a later one there has taken its place. */
  #gone(path: string, now: number): void {
    const later = this.#pull(path);
    if (later === undefined) this.#put({ type: 'deleted', path }, now);
    else if (later.type === 'moved') this.#put({ ...later, replaces: true }, now);
    else this.#put(later.type === 'created' ? { ...later, type: 'modified' } : later, now);
  }

  #inPlace(change: Change, now: number): Change | undefined {
    const earlier = this.#pull(change.path);
    if (!earlier) return change;
    if (change.type === 'deleted') {
      if (earlier.type === 'created') return undefined;
      if (earlier.type !== 'moved') return change;
      this.#gone(earlier.path, now);
      // The file that it had replaced is gone with it.
      return earlier.replaces ? change : undefined;
    }
    if (earlier.type === 'deleted') return { ...change, type: 'modified' };
    return change.seen ? { ...earlier, seen: change.seen } : earlier;
  }

  #moved({ path, dest, seen, replaces }: Change, now: number): Change | undefined {
    const before = this.#pull(path);
    const target = dest === undefined ? undefined : this.#pull(dest);
    if (dest === undefined || seen === undefined) return undefined;
    if (target?.type === 'moved') this.#gone(target.path, now);
    const from = before?.type === 'moved' ? before.path : path;
    // Whether something stood there before all this.
    const stood = target
      ? target.type === 'deleted' || target.type === 'modified' || (target.replaces ?? false)
      : (replaces ?? false);
    if (before?.type === 'moved' && before.replaces) this.#gone(path, now);
    if (before?.type === 'created') return { type: stood ? 'modified' : 'created', path: dest, seen };
    if (from === dest) return { type: 'modified', path: dest, seen };
    return { type: 'moved', path: from, dest, seen, ...(stood && { replaces: true as const }) };
  }
}
