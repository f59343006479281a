import { resolve } from 'node:path';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { AuditLog as Log } from '#runtime/services/audit/audit-log.ts';
import { openLog, unusable } from '#runtime/services/audit/open-log.ts';
import type { AuditFilter, AuditRow, AuditStatus } from '#runtime/services/audit/port.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { Session } from './session.ts';
import { warn } from './warn.ts';

export type { AuditFilter, AuditRow };

/** The columns of a row beside its time and action. */
export interface AuditRecordOptions {
  /** Name of the person or program that acted; the user of the system unless given. */
  readonly actor?: string | null;
  /** `ok` or `error`; `ok` by default. */
  readonly status?: AuditStatus;
  /** Milliseconds; 0 by default. */
  readonly duration_ms?: number;
  /** Written without what stands under keys such as `password`. */
  readonly detail?: JsonObject;
}

/**
 * A log in a SQLite file, opened at its first use, of the form that `FA_audit_open` keeps. Rows are on the disk when a
 * call resolves.
 */
export class AuditLog implements AsyncDisposable {
  /** Absolute. */
  readonly db_path: string;
  #open: Promise<{ readonly log: Log; readonly session: Session }> | undefined;

  /** `db_path`: a SQLite file, made with its first row. */
  constructor(db_path: string) {
    this.db_path = resolve(db_path);
  }

  /** Never rejects: what goes wrong is a warning of the process. */
  async record(action: string, options: AuditRecordOptions = {}): Promise<null> {
    try {
      await this.#with((log) => log.write(log.prepare({ action, ...options })));
    } catch (error) {
      warn(error, 'AuditWarning');
    }
    return null;
  }

  /** The newest rows first; 100 unless `limit` is given. */
  recent({ limit = 100, ...filter }: AuditFilter & { readonly limit?: number } = {}): Promise<readonly AuditRow[]> {
    return this.#with((log) => log.recent(limit, filter));
  }

  /** Number of rows that the filter lets through. */
  count(filter: AuditFilter = {}): Promise<number> {
    return this.#with((log) => log.count(filter));
  }

  /** Yields how many rows are gone. Rejects for 0 seconds and less. */
  purge(older_than_seconds: number): Promise<number> {
    return this.#with((log) => {
      if (!(older_than_seconds > 0)) throw new Error('"older_than_seconds" must be more than 0');
      return log.purge(older_than_seconds);
    });
  }

  /** Harmless when it is not open; the next call opens it again. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await (await open?.catch(() => undefined))?.session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #with<T>(work: (log: Log) => T): Promise<T> {
    this.#open ??= this.#begin();
    const { log } = await this.#open.catch((error: unknown) => {
      this.#open = undefined;
      throw error;
    });
    try {
      return work(log);
    } catch (error) {
      throw unusable(this.db_path, error);
    }
  }

  async #begin(): Promise<{ readonly log: Log; readonly session: Session }> {
    const session = await Session.open();
    try {
      return {
        session,
        log: await session.step(
          'AuditLog',
          ['sqlite'],
          async ({ sqlite }) => (await openLog(this.db_path, null, nodeHost(), sqlite)).log,
        ),
      };
    } catch (error) {
      await session.close();
      throw error;
    }
  }
}
