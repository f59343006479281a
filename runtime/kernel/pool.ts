/** Places for work that runs at the same time. Whoever gets none asks again when one was given back. */
export class Pool {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  give(): void {
    this.#free++;
    // All of them: the first may not need a place any more.
    for (const callback of this.#waiting.splice(0)) callback();
  }

  /** Calls back when a place was given back; it may be gone again by then. */
  whenFree(callback: () => void): void {
    this.#waiting.push(callback);
  }
}
