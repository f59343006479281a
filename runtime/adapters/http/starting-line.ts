import type { Socket } from 'node:net';

import type { buildConnector } from 'undici';

/**
 * Holds connections until all of a race are open and every request is written into its own, then lets the bytes of all
 * go in one turn of the event loop.
 */
export class StartingLine {
  readonly #count: number;
  readonly #now: () => number;
  readonly #ready: { readonly socket: Socket; readonly begin: () => void }[] = [];
  #released: { readonly at: number; readonly spread_ms: number } | undefined;

  constructor(count: number, now: () => number) {
    this.#count = count;
    this.#now = now;
  }

  /**
   * Time of the release (ms, monotonic), and the time between the first and the last request; undefined: still waiting.
   */
  get released(): { readonly at: number; readonly spread_ms: number } | undefined {
    return this.#released;
  }

  /** The connector that hands its connections over together. */
  holding(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      connect(options, (...found) => {
        const [error, socket] = found;
        if (error || !socket) return callback(...found);
        socket.cork();
        this.#ready.push({ socket, begin: () => callback(...found) });
        if (this.#ready.length === this.#count) this.#release();
      });
    };
  }

  #release(): void {
    for (const { begin } of this.#ready) begin();
    // By then each request lies in the buffer of its connection.
    setImmediate(() => {
      const at = this.#now();
      for (const { socket } of this.#ready) socket.uncork();
      this.#released = { at, spread_ms: this.#now() - at };
    });
  }
}
