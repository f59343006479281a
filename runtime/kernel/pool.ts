/** Places for work that runs at the same time. Whoever gets none asks again when one was given back. */
export class Pool {
  #places: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#places = places;
    this.#free = places;
  }

  /** Makes room for at least so many from now on. */
  widen(places: number): void {
    const more = places - this.#places;
    if (more <= 0) return;
    this.#places = places;
    this.#free += more;
    this.#call();
  }

  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  give(): void {
    this.#free++;
    this.#call();
  }

  /** Calls back when a place was given back; it may be gone again by then. */
  whenFree(callback: () => void): void {
    this.#waiting.push(callback);
  }

  /** All of them: the first may not need a place any more. */
  #call(): void {
    for (const callback of this.#waiting.splice(0)) callback();
  }
}
