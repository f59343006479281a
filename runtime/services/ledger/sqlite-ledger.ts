import { dirname } from 'node:path';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import type { LedgerRun, NewRun } from './port.ts';
import { stampOf } from './stamp.ts';

type Database = Awaited<ReturnType<Ports['sqlite']['open']>>;
type Tools = Pick<Host, 'files' | 'clock'>;

const TABLE =
  'CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, path TEXT NOT NULL, passed INTEGER NOT NULL, time TEXT)';
/** Longest wait (ms) for another process that writes the same ledger. */
const BUSY_MS = 30_000;

/** A ledger in a SQLite file: an entry costs the same however many there are. */
export class SqliteLedger {
  readonly #path: string;
  readonly #host: Tools;
  readonly #sqlite: Ports['sqlite'];

  constructor(path: string, host: Tools, sqlite: Ports['sqlite']) {
    this.#path = path;
    this.#host = host;
    this.#sqlite = sqlite;
  }

  async append({ path, passed }: NewRun, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#host.files.makeDirectory(dirname(this.#path), { recursive: true });
    await this.#with(true, (database) => {
      const values = [path, passed ? 1 : 0, stampOf(this.#host.clock)];
      database.run('INSERT INTO runs (path, passed, time) VALUES (?, ?, ?)', values);
    });
  }

  async runs(): Promise<readonly LedgerRun[]> {
    const found = await this.#host.files.find(this.#path);
    if (!found) return [];
    if (found.kind === 'directory') throw fail.isAFolder({ path: this.#path });
    const rows = await this.#with(false, (database) => database.all('SELECT path, passed, time FROM runs ORDER BY id'));
    return rows.map(({ path, passed, time }) => ({
      path: String(path),
      passed: passed === 1,
      ...(typeof time === 'string' && { time }),
    }));
  }

  async clear(): Promise<void> {
    const { files } = this.#host;
    const found = await files.find(this.#path);
    if (found?.kind === 'directory') throw fail.isAFolder({ path: this.#path });
    for (const name of [this.#path, `${this.#path}-wal`, `${this.#path}-shm`])
      if (await files.find(name)) await files.remove(name);
  }

  async #with<T>(create: boolean, work: (database: Database) => T): Promise<T> {
    const database = await this.#sqlite.open(this.#path, { busy_ms: BUSY_MS, create });
    try {
      // An entry is on the disk once its transaction has ended.
      database.exec(`PRAGMA synchronous = FULL; ${TABLE}`);
      return work(database);
    } finally {
      database.close();
    }
  }
}
