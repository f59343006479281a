import type { Ports } from '#runtime/kernel/ports.ts';
import type { Clock } from '#schemas/types/host.ts';

import { isIdentity, sharesClock, type ProcessIdentity } from '../file-locks/process-identity.ts';
import type { LeaseClaim, LeaseRow, LeaseStore } from './store.ts';

type Sqlite = Ports['sqlite'];
type Database = Awaited<ReturnType<Sqlite['open']>>;

/** The process stands still while it waits for another's transaction, so not for long: it asks again. */
const BUSY_MS = 100;
/** Number of attempts at a release that meets another's transaction. */
const RELEASES = 20;

interface StoredRow extends LeaseRow {
  /** Monotonic time (s), by the clock of its process, at which it expires. */
  readonly ends: number | null;
}

export interface SqlitePlace {
  readonly path: string;
  readonly clock: Clock;
  readonly own: ProcessIdentity;
}

/**
 * Leases in a SQLite file. Processes of one machine have one monotonic clock, so lives are measured by it and setting
 * the clock changes nothing; only for rows of other programs, and of other machines, the wall clock decides.
 */
export class SqliteStore implements LeaseStore {
  readonly pollMs = 50;
  readonly #database: Database;
  readonly #sqlite: Sqlite;
  readonly #place: SqlitePlace;
  #table: string | undefined;

  private constructor(sqlite: Sqlite, database: Database, place: SqlitePlace) {
    this.#sqlite = sqlite;
    this.#database = database;
    this.#place = place;
  }

  static async open(
    sqlite: Sqlite,
    place: SqlitePlace,
    { create }: { readonly create: boolean },
  ): Promise<SqliteStore> {
    const database = await sqlite.open(place.path, { busy_ms: BUSY_MS, create });
    return new SqliteStore(sqlite, database, place);
  }

  async claim(name: string, claim: LeaseClaim): Promise<'taken' | 'busy'> {
    return this.#whenFree<'taken' | 'busy'>(() => {
      const table = this.#tableMade();
      return this.#inTransaction(() => {
        const row = this.#row(table, name);
        if (row && !this.#isOver(row)) return 'busy';
        this.#put(table, name, claim);
        this.#database.run(`DELETE FROM svc_lock_holders WHERE owner NOT IN (SELECT owner FROM ${table})`);
        return 'taken';
      });
    }, 'busy');
  }

  async renew(name: string, owner: string, ttl: number): Promise<boolean> {
    const table = this.#tableMade();
    return this.#inTransaction(() => {
      const { changes } = this.#database.run(`UPDATE ${table} SET expires_at = ? WHERE name = ? AND owner = ?`, [
        this.#wall() + ttl,
        name,
        owner,
      ]);
      if (changes > 0)
        this.#database.run('UPDATE svc_lock_holders SET ends = ? WHERE owner = ?', [this.#monotonic() + ttl, owner]);
      return changes > 0;
    });
  }

  async release(name: string, owner: string): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      const released = this.#whenFree<boolean | 'busy'>(() => this.#remove(name, owner), 'busy');
      if (released !== 'busy') return released;
      if (tries === RELEASES) return this.#remove(name, owner);
      await this.#place.clock.sleep(this.pollMs);
    }
  }

  #remove(name: string, owner: string): boolean {
    const table = this.#tableMade();
    return this.#inTransaction(() => {
      const { changes } = this.#database.run(`DELETE FROM ${table} WHERE name = ? AND owner = ?`, [name, owner]);
      this.#database.run('DELETE FROM svc_lock_holders WHERE owner = ?', [owner]);
      return changes > 0;
    });
  }

  async find(name: string): Promise<LeaseRow | undefined> {
    const tables = this.#tables();
    const table = tableOf(tables);
    if (table === undefined) return undefined;
    const row = tables.includes('svc_lock_holders') ? this.#row(table, name) : this.#plainRow(table, name);
    return row && !this.#isOver(row) ? row : undefined;
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #put(table: string, name: string, { owner, ttl, process }: LeaseClaim): void {
    const now = this.#wall();
    this.#database.run(`INSERT OR REPLACE INTO ${table} (name, owner, acquired_at, expires_at) VALUES (?, ?, ?, ?)`, [
      name,
      owner,
      now,
      ttl === null ? null : now + ttl,
    ]);
    this.#database.run('INSERT INTO svc_lock_holders (owner, process, ends) VALUES (?, ?, ?)', [
      owner,
      JSON.stringify(process),
      ttl === null ? null : this.#monotonic() + ttl,
    ]);
  }

  #row(table: string, name: string): StoredRow | undefined {
    return rowOf(
      this.#database.all(
        `SELECT l.owner, l.acquired_at, l.expires_at, h.process, h.ends FROM ${table} l LEFT JOIN svc_lock_holders h ON h.owner = l.owner WHERE l.name = ?`,
        [name],
      )[0],
    );
  }

  #plainRow(table: string, name: string): StoredRow | undefined {
    return rowOf(this.#database.all(`SELECT owner, acquired_at, expires_at FROM ${table} WHERE name = ?`, [name])[0]);
  }

  #isOver({ expires_at, process, ends }: StoredRow): boolean {
    if (expires_at === null) return false;
    if (process && ends !== null && sharesClock(process, this.#place.own)) return this.#monotonic() >= ends;
    return this.#wall() >= expires_at;
  }

  /**
   * The table of leases; made where the file has none. One of the older name goes on to serve, for those who know only
   * that.
   */
  #tableMade(): string {
    return (this.#table ??= this.#make());
  }

  #make(): string {
    const tables = this.#tables();
    if (!tables.includes('svc_lock_holders')) {
      this.#database.exec(
        'PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS svc_lock_holders (owner TEXT PRIMARY KEY, process TEXT NOT NULL, ends REAL)',
      );
    }
    const table = tableOf(tables);
    if (table !== undefined) return table;
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS svc_locks (name TEXT PRIMARY KEY, owner TEXT NOT NULL, acquired_at REAL NOT NULL, expires_at REAL)',
    );
    return 'svc_locks';
  }

  #tables(): readonly unknown[] {
    return this.#database
      .all(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('svc_locks', 'automation_locks', 'svc_lock_holders')",
      )
      .map(({ name }) => name);
  }

  #inTransaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Another process is in its transaction: that is no failure, but says nothing yet. */
  #whenFree<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      if (this.#sqlite.isBusy(error)) return otherwise;
      throw error;
    }
  }

  #wall(): number {
    return this.#place.clock.now() / 1000;
  }

  #monotonic(): number {
    return this.#place.clock.monotonic() / 1000;
  }
}

function tableOf(tables: readonly unknown[]): string | undefined {
  return ['svc_locks', 'automation_locks'].find((name) => tables.includes(name));
}

function rowOf(row: Readonly<Record<string, unknown>> | undefined): StoredRow | undefined {
  if (!row) return undefined;
  const { owner, acquired_at, expires_at, process, ends } = row;
  return {
    owner: String(owner),
    acquired_at: Number(acquired_at),
    expires_at: numberOrNull(expires_at),
    process: identityOf(process),
    ends: numberOrNull(ends),
    fence: null,
  };
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** Undefined where it is no identity of ours. */
export function identityOf(text: unknown): ProcessIdentity | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isIdentity(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
