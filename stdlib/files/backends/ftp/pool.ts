import type { Clock } from '#schemas/types/host.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { CallOptions } from '../backend.ts';
import { LendingPool } from '../lending-pool.ts';
import type { FtpConnection } from './connection.ts';

/** The most connections at once: on each of them one thing at a time goes on. */
const MOST = 8;

/** Connections to one FTP server. */
export class FtpPool extends LendingPool<FtpConnection> {
  readonly #clock: Clock;

  constructor(open: (options: CallOptions) => Promise<FtpConnection>, clock: Clock) {
    super({
      most: MOST,
      open,
      isReady: ({ client }) => !client.closed,
      end: ({ client }) => client.close(),
      isCrowded,
    });
    this.#clock = clock;
  }

  async close(): Promise<void> {
    this.retire();
    await Promise.all([...this.open].map((connection) => this.#goodbye(connection)));
  }

  /** Says goodbye where nothing else goes on, for a moment; the line is dropped in any case. */
  async #goodbye(connection: FtpConnection): Promise<void> {
    const over = new AbortController();
    const quit = connection.client.sendIgnoringError('QUIT').catch(() => undefined);
    if (!connection.client.closed)
      await Promise.race([quit, this.#clock.sleep(300, over.signal).catch(() => undefined)]);
    over.abort();
    this.drop(connection);
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
