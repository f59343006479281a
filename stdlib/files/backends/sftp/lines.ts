import type { SftpConnection } from './connection.ts';

/** The most connections to one server. */
const MOST = 4;
/** Number of writes that each connection has done before another is worth its login. */
const WORTH = 8;

interface Line {
  readonly connection: SftpConnection;
  /** Writes under way on it. */
  writing: number;
}

/**
 * Further connections for files that are written at once: a server does what is asked on one of them in order. They are
 * opened beside the work, and nobody waits for them; where a server refuses one, what is there is enough.
 */
export class SftpLines {
  readonly #open: () => Promise<SftpConnection>;
  readonly #lines: Line[] = [];
  #isOpening = false;
  #isEnough = false;
  #isClosed = false;
  #written = 0;

  constructor(open: () => Promise<SftpConnection>) {
    this.#open = open;
  }

  /** Does a write on the connection with the fewest writes; `main` is one of them. */
  async write<Result>(main: SftpConnection, work: (connection: SftpConnection) => Promise<Result>): Promise<Result> {
    const line = this.#least(main);
    if (line.writing > 0 && this.#written >= WORTH * this.#lines.length) void this.#another();
    line.writing += 1;
    try {
      return await work(line.connection);
    } finally {
      line.writing -= 1;
      this.#written += 1;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { connection } of this.#lines.splice(0)) connection.end();
  }

  #least(main: SftpConnection): Line {
    const usable = this.#lines.filter(({ connection }) => connection.isOpen());
    if (!usable.some(({ connection }) => connection === main)) usable.unshift({ connection: main, writing: 0 });
    this.#lines.splice(0, this.#lines.length, ...usable);
    return usable.reduce((least, line) => (line.writing < least.writing ? line : least));
  }

  async #another(): Promise<void> {
    if (this.#isOpening || this.#isEnough || this.#lines.length >= MOST) return;
    this.#isOpening = true;
    try {
      const connection = await this.#open();
      if (this.#isClosed) connection.end();
      else this.#lines.push({ connection, writing: 0 });
    } catch {
      this.#isEnough = true;
    }
    this.#isOpening = false;
  }
}
