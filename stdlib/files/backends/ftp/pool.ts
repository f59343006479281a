import type { Clock } from '#schemas/types/host.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { CallOptions } from '../backend.ts';
import type { FtpConnection } from './connection.ts';

/** The most connections at once: on each of them one thing at a time goes on. */
const MOST = 8;

/** Connections to one server, each lent to one who asks at a time. */
export class FtpPool {
  readonly #open: (options: CallOptions) => Promise<FtpConnection>;
  readonly #clock: Clock;
  readonly #idle: FtpConnection[] = [];
  readonly #all = new Set<FtpConnection>();
  readonly #waiting: (() => void)[] = [];
  #lent = 0;
  #most = MOST;

  constructor(open: (options: CallOptions) => Promise<FtpConnection>, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  /** Give it back. A server that allows fewer connections than are wanted is asked for no more than it allows. */
  async lend(options: CallOptions): Promise<FtpConnection> {
    for (;;) {
      options.signal.throwIfAborted();
      const idle = this.#takeIdle();
      if (idle) return idle;
      if (this.#lent < this.#most) {
        this.#lent += 1;
        try {
          const connection = await this.#open(options);
          this.#all.add(connection);
          return connection;
        } catch (error) {
          this.#lent -= 1;
          this.#wakeOne();
          if (this.#lent === 0 || !isCrowded(error)) throw error;
          this.#most = Math.max(1, this.#lent);
        }
      } else await this.#turn(options);
    }
  }

  /** One that has broken off, or of which nobody knows what it does, is ended. */
  giveBack(connection: FtpConnection, isUsable: boolean): void {
    this.#lent -= 1;
    if (isUsable && !connection.client.closed && this.#all.has(connection)) this.#idle.push(connection);
    else this.#end(connection);
    this.#wakeOne();
  }

  async close(): Promise<void> {
    this.#idle.length = 0;
    await Promise.all([...this.#all].map((connection) => this.#goodbye(connection)));
  }

  #takeIdle(): FtpConnection | undefined {
    for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
      if (!found.client.closed) {
        this.#lent += 1;
        return found;
      }
      this.#end(found);
    }
    return undefined;
  }

  async #turn({ signal }: CallOptions): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
  }

  #wakeOne(): void {
    this.#waiting.shift()?.();
  }

  #end(connection: FtpConnection): void {
    this.#all.delete(connection);
    connection.client.close();
  }

  /** Says goodbye where nothing else goes on, for a moment; the line is dropped in any case. */
  async #goodbye(connection: FtpConnection): Promise<void> {
    const over = new AbortController();
    const quit = connection.client.sendIgnoringError('QUIT').catch(() => undefined);
    if (!connection.client.closed)
      await Promise.race([quit, this.#clock.sleep(300, over.signal).catch(() => undefined)]);
    over.abort();
    this.#end(connection);
  }
}

/** Too many connections, as servers say it. */
function isCrowded(error: unknown): boolean {
  return (
    error instanceof Failure &&
    (error.facts.name === 'storage-unavailable' ||
      (error.facts.name === 'storage-login' && /too many|limit|maximum|connections/i.test(error.message)))
  );
}
