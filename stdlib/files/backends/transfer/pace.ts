import type { Clock } from '#schemas/types/host.ts';

/** Lets so many bytes through in a second, however many transfers share it. */
export class Pace {
  readonly #clock: Clock;
  readonly #bytesPerMs: number;
  /** Monotonic time (ms) at which all that was let through so far is paid for. */
  #paidAt = 0;

  constructor(clock: Clock, bytesPerSecond: number) {
    this.#clock = clock;
    this.#bytesPerMs = bytesPerSecond / 1000;
  }

  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonic();
    this.#paidAt = Math.max(this.#paidAt, now) + bytes / this.#bytesPerMs;
    const wait = this.#paidAt - now;
    if (wait >= 1) await this.#clock.sleep(wait, signal);
  }
}
