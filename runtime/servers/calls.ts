import type { Clock } from '#schemas/types/host.ts';

import type { StoppedCalls } from './open-server.ts';

export interface CallLimits {
  /** Calls that run at once. */
  readonly atOnce: number;
  /** Calls that wait for their turn; more are turned away. */
  readonly waiting: number;
  /** A call that takes longer is cancelled. */
  readonly seconds: number;
}

/** Nothing more can be taken now. */
export class Busy extends Error {}

/** The calls of a server: so many run at once, some wait, the rest is turned away, and none goes on after the end. */
export class Calls {
  readonly #limits: CallLimits;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  /**
   * Calls under way: the controller that ends each, and the monotonic time (ms) until which it may go on: no
   * end for one that was cancelled. The oldest first.
   */
  readonly #running = new Map<AbortController, number>();
  /** Set while a timer waits for the oldest. */
  #isWatching = false;
  #idle: (() => void) | undefined;
  #isClosed = false;

  constructor(limits: CallLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Runs work with a signal that ends it. Rejects with `Busy` where nothing more is taken. */
  async run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    await this.#turn();
    const controller = new AbortController();
    this.#running.set(controller, this.#clock.monotonic() + this.#limits.seconds * 1000);
    this.#watch();
    try {
      return await work(controller.signal);
    } finally {
      this.#running.delete(controller);
      this.#waiting.shift()?.();
      if (this.#running.size === 0) this.#idle?.();
    }
  }

  /** Takes no more calls; those that run may finish within so many milliseconds, then they are cancelled. */
  async end(withinMs: number): Promise<StoppedCalls> {
    this.#isClosed = true;
    for (const next of this.#waiting.splice(0)) next();
    const underWay = this.#running.size;
    let cancelled = 0;
    if (underWay === 0) return { finished: 0, cancelled };
    const idle = new Promise<void>((resolve) => (this.#idle = resolve));
    const cancel = this.#clock.timer(withinMs, () => {
      cancelled = this.#running.size;
      for (const running of this.#running.keys()) running.abort(new Error('the server stops'));
    });
    await idle;
    cancel();
    return { finished: underWay - cancelled, cancelled };
  }

  /** One timer for all: each call has as long as the others, so that the oldest is the first whose time is over. */
  #watch(): void {
    if (this.#isWatching) return;
    const until = [...this.#running.values()].find((end) => end < Infinity);
    if (until === undefined) return;
    this.#isWatching = true;
    const wait = Math.max(1, until - this.#clock.monotonic());
    this.#clock.timer(
      wait,
      () => {
        this.#isWatching = false;
        const now = this.#clock.monotonic();
        for (const [controller, end] of this.#running) {
          if (end > now) continue;
          controller.abort(new Error(`the call took more than ${this.#limits.seconds} s`));
          // It stays among those that run until it has ended.
          this.#running.set(controller, Infinity);
        }
        this.#watch();
      },
      { background: true },
    );
  }

  async #turn(): Promise<void> {
    if (!this.#isClosed && this.#running.size >= this.#limits.atOnce) {
      if (this.#waiting.length >= this.#limits.waiting) throw new Busy('too many calls');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#isClosed) throw new Busy('the server stops');
  }
}
