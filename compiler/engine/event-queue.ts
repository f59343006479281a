/** Keeps values until their one reader takes them, and ends. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  #waiting: Event[] = [];
  #wake: (() => void) | undefined;
  #isEnded = false;
  #isLeft = false;

  add(event: Event): void {
    if (!this.#isLeft) this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    try {
      for (;;) {
        const ready = this.#waiting;
        this.#waiting = [];
        yield* ready;
        if (this.#waiting.length > 0) continue;
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      // Nobody reads any more: nothing is kept.
      this.#isLeft = true;
      this.#waiting = [];
    }
  }
}
