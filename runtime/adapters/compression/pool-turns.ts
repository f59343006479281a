import { availableParallelism } from 'node:os';

/**
 * Number of pieces compressed at the same time. One of the four threads that Node has for such work is left to
 * those who read and write; with one piece more than there are processors none of these waits for the main
 * thread.
 */
export const AT_ONCE = Math.min(availableParallelism() + 1, 3);

/** Pieces that are gathered before their turn. */
export const UNDER_WAY = AT_ONCE + 2;

/** Lets so many pieces of work run at once, the others in their order. */
export class PoolTurns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // Whoever waits first takes over this turn.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
