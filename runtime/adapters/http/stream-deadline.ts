import type { Clock } from '#schemas/types/host.ts';

import { TimeLimit, type Waits } from './deadline.ts';

export interface StreamLimits {
  /** Time limit (ms) of the whole transfer; absent: none. */
  readonly total_ms: number | undefined;
  /** The limit of which `total_ms` is what is left. */
  readonly told_ms: number | undefined;
  /** Time limit (ms) of each wait for the other side. */
  readonly idle_ms: number;
}

/** One end for everything that a transfer waits for: its time limits, or the signal of the step. */
export class StreamDeadline implements Waits {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #outer: AbortSignal;
  readonly #endTotal: () => void;
  readonly #forward = (): void => this.#end(this.#outer.reason);
  #endIdle: () => void = () => undefined;
  #reason: unknown;
  #isOver = false;
  #waiting: ((reason: unknown) => void) | undefined;

  constructor(clock: Clock, { total_ms, told_ms, idle_ms }: StreamLimits, outer: AbortSignal) {
    this.#clock = clock;
    this.#idleMs = idle_ms;
    this.#outer = outer;
    this.#endTotal =
      total_ms === undefined
        ? () => undefined
        : clock.timer(total_ms, () => this.#end(new TimeLimit(told_ms ?? total_ms)));
    if (outer.aborted) this.#forward();
    else outer.addEventListener('abort', this.#forward, { once: true });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls back when it is over, at once where it is already. Each wait has the idle limit anew. */
  wait(callback: (reason: unknown) => void): void {
    this.#waiting = callback;
    if (this.#isOver) callback(this.#reason);
    else this.touch();
  }

  leave(): void {
    this.#waiting = undefined;
    this.rest();
  }

  /** Something came: the other side has its time again. */
  touch(): void {
    this.rest();
    if (!this.#isOver) this.#endIdle = this.#clock.timer(this.#idleMs, () => this.#end(new TimeLimit(this.#idleMs)));
  }

  /** Nobody waits for the other side. */
  rest(): void {
    this.#endIdle();
    this.#endIdle = () => undefined;
  }

  close(): void {
    this.leave();
    this.#endTotal();
    this.#outer.removeEventListener('abort', this.#forward);
  }

  #end(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    this.rest();
    this.#waiting?.(reason);
  }
}
