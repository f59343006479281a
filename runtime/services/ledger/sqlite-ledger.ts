import { dirname } from 'node:path';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { FileStat, Host } from '#schemas/types/host.ts';

import type { LedgerRun, NewRun } from './port.ts';
import { stampOf } from './stamp.ts';

type Database = Awaited<ReturnType<Ports['sqlite']['open']>>;
type Tools = Pick<Host, 'files' | 'clock'>;

const TABLE =
  'CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, path TEXT NOT NULL, passed INTEGER NOT NULL, time TEXT)';
const INSERT = 'INSERT INTO runs (path, passed, time) VALUES (?, ?, ?)';
/** Longest wait (ms) for another process that writes the same ledger. */
const BUSY_MS = 30_000;

/**
 * A ledger in a SQLite file: an entry costs the same however many there are. What entries are added by stays open until
 * `close`, or until the ledger is cleared; between calls it holds no lock.
 */
export class SqliteLedger {
  readonly #path: string;
  readonly #host: Tools;
  readonly #sqlite: Ports['sqlite'];
  /** `file`: what had the name before it was opened. */
  #kept: { readonly database: Database; readonly file: FileStat | undefined } | undefined;

  constructor(path: string, host: Tools, sqlite: Ports['sqlite']) {
    this.#path = path;
    this.#host = host;
    this.#sqlite = sqlite;
  }

  async append({ path, passed }: NewRun, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { files, clock } = this.#host;
    const found = await files.find(this.#path);
    // An entry in a file that was removed or replaced meanwhile would be lost.
    if (!this.#kept || !isSame(this.#kept.file, found)) {
      if (!found) await files.makeDirectory(dirname(this.#path), { recursive: true });
      const database = await this.#open(true);
      this.close();
      this.#kept = { database, file: found };
    }
    this.#kept.database.run(INSERT, [path, passed ? 1 : 0, stampOf(clock)]);
  }

  async runs(): Promise<readonly LedgerRun[]> {
    const found = await this.#host.files.find(this.#path);
    if (!found) return [];
    if (found.kind === 'directory') throw fail.isAFolder({ path: this.#path });
    const database = await this.#open(false);
    try {
      return database.all('SELECT path, passed, time FROM runs ORDER BY id').map(({ path, passed, time }) => ({
        path: String(path),
        passed: passed === 1,
        ...(typeof time === 'string' && { time }),
      }));
    } finally {
      database.close();
    }
  }

  async clear(): Promise<void> {
    this.close();
    const { files } = this.#host;
    const found = await files.find(this.#path);
    if (found?.kind === 'directory') throw fail.isAFolder({ path: this.#path });
    for (const name of [this.#path, `${this.#path}-wal`, `${this.#path}-shm`])
      if (await files.find(name)) await files.remove(name);
  }

  close(): void {
    this.#kept?.database.close();
    this.#kept = undefined;
  }

  async #open(create: boolean): Promise<Database> {
    const database = await this.#sqlite.open(this.#path, { busy_ms: BUSY_MS, create });
    try {
      // An entry is on the disk once its transaction has ended.
      database.exec(`PRAGMA synchronous = FULL; ${TABLE}`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

function isSame(one: FileStat | undefined, other: FileStat | undefined): boolean {
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
