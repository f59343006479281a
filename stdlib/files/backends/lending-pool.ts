import type { CallOptions } from './backend.ts';

export interface PoolOptions<Item> {
  /** The most that are open at once. */
  readonly most: number;
  open(options: CallOptions): Promise<Item>;
  /** Whether it can be lent once more. */
  isReady(item: Item): boolean;
  end(item: Item): void;
  /** Whether opening failed since the server allows no more; then it is asked for no more than it allows. */
  isCrowded?(error: unknown): boolean;
}

/** Connections to one server, each lent to one who asks at a time. */
export class LendingPool<Item> {
  readonly #options: PoolOptions<Item>;
  readonly #idle: Item[] = [];
  readonly #all = new Set<Item>();
  readonly #waiting: (() => void)[] = [];
  #lent = 0;
  #most: number;
  /** Number of times that it was retired. */
  #retired = 0;

  constructor(options: PoolOptions<Item>) {
    this.#options = options;
    this.#most = options.most;
  }

  /** Those that are open, lent ones too. */
  get open(): ReadonlySet<Item> {
    return this.#all;
  }

  /** Give it back. */
  async lend(options: CallOptions): Promise<Item> {
    for (;;) {
      options.signal.throwIfAborted();
      const item = this.#takeIdle() ?? (this.#lent < this.#most ? await this.#lendNew(options) : undefined);
      if (item !== undefined) return item;
      if (this.#lent >= this.#most) await this.#turn(options);
    }
  }

  /** One that has broken off, or of which nobody knows what it does, is ended. */
  giveBack(item: Item, isUsable = true): void {
    this.#lent -= 1;
    if (isUsable && this.#all.has(item) && this.#options.isReady(item)) this.#idle.push(item);
    else this.drop(item);
    this.#wakeOne();
  }

  /** Ends one for good. */
  drop(item: Item): void {
    this.#all.delete(item);
    this.#options.end(item);
  }

  /** None that is open or being opened now is lent again. */
  retire(): void {
    this.#retired += 1;
    this.#idle.length = 0;
  }

  #takeIdle(): Item | undefined {
    for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
      if (this.#options.isReady(found)) {
        this.#lent += 1;
        return found;
      }
      this.drop(found);
    }
    return undefined;
  }

  /** Undefined: the server allows no more than there are. */
  async #lendNew(options: CallOptions): Promise<Item | undefined> {
    this.#lent += 1;
    try {
      const retired = this.#retired;
      const item = await this.#options.open(options);
      // One that was opened while others were closed is ended by its return.
      if (retired === this.#retired) this.#all.add(item);
      return item;
    } catch (error) {
      this.#lent -= 1;
      this.#wakeOne();
      if (this.#lent === 0 || this.#options.isCrowded?.(error) !== true) throw error;
      this.#most = Math.max(1, this.#lent);
      return undefined;
    }
  }

  async #turn({ signal }: CallOptions): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    this.#waiting.push(resolve);
    signal.addEventListener('abort', stop, { once: true });
    await promise;
    signal.removeEventListener('abort', stop);
    // A turn that came to one who is gone is somebody else's.
    if (signal.aborted) this.#wakeOne();
  }

  #wakeOne(): void {
    this.#waiting.shift()?.();
  }
}
