import { resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { SqlTable } from '#schemas/types/sql.ts';

import { loadSqlite } from './load-sqlite.ts';
import type {
  SqliteChange,
  SqliteDatabase,
  SqliteOptions,
  SqliteRow,
  SqliteTableOptions,
  SqliteValue,
} from './port.ts';
import { isBusy, isReadOnly, sqliteFailure } from './sqlite-failure.ts';
import { readTable } from './read-table.ts';

const BUSY_MS = 5000;
/** Most bytes of a value, where the library can be told (Node 24): a longer one takes gigabytes and becomes no text. */
const LONGEST_VALUE = 256 * 1024 * 1024;
/** A database that is nowhere and ends with its connection. */
const MEMORY = ':memory:';

/** Whatever is still open is closed at the end of the unit. */
export const provider: Provider<'sqlite'> = {
  open: ({ host, folders, release }) => {
    const open = new Set<Database>();
    release(() => {
      for (const database of open) database.close();
    });
    return {
      isBusy,
      open: async (path, options = {}) => {
        const full = path === MEMORY ? path : resolve(folders.cwd, path);
        // Asked also where it may be made: the library opens it past the host, which may keep callers from places.
        const found = path === MEMORY || (await host.files.find(full));
        if (!found && options.create === false)
          throw fail.databaseUnusable({ path: full, reason: 'there is no such file' });
        const database = new Database(full, options, () => open.delete(database));
        open.add(database);
        return database;
      },
    };
  },
};

class Database implements SqliteDatabase {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #closed: () => void;

  constructor(path: string, { busy_ms: timeout = BUSY_MS, readOnly = false }: SqliteOptions, closed: () => void) {
    this.#path = path;
    this.#closed = closed;
    const { DatabaseSync } = loadSqlite();
    const options = { timeout, readOnly, limits: { length: LONGEST_VALUE } };
    this.#database = this.#told(() => new DatabaseSync(path, options));
    try {
      // Opening looks at nothing: whether it is a database shows at the first question.
      this.#told(() => this.#database.exec('PRAGMA schema_version'));
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  exec(sql: string): void {
    this.#told(() => this.#database.exec(sql));
  }

  run(sql: string, values: readonly SqliteValue[] = []): SqliteChange {
    const { changes, lastInsertRowid } = this.#told(() => this.#statement(sql).run(...values));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }

  all(sql: string, values: readonly SqliteValue[] = []): readonly SqliteRow[] {
    return this.#told(() => this.#statement(sql).all(...values));
  }

  table(sql: string, values: readonly SqliteValue[], options: SqliteTableOptions): SqlTable {
    try {
      return readTable(this.#database, sql, values, options);
    } catch (error) {
      throw isReadOnly(error) ? error : sqliteFailure(error, this.#path);
    }
  }

  close(): void {
    if (!this.#database.isOpen) return;
    this.#statements.clear();
    this.#database.close();
    this.#closed();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #told<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteFailure(error, this.#path);
    }
  }
}
