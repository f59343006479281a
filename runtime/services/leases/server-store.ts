import { Failure } from '#schemas/types/failure.ts';
import type { SqlAnswer, SqlConnection, SqlValue } from '#schemas/types/sql.ts';

import type { Dialect } from './dialects.ts';
import { identityOf } from './sqlite-store.ts';
import type { LeaseClaim, LeaseRow, LeaseStore } from './store.ts';

/** Values of a claim in the order and form of each database. */
export type ClaimValues = (name: string, claim: LeaseClaim) => readonly SqlValue[];

export interface ServerPlace {
  readonly dialect: Dialect;
  readonly claimValues: ClaimValues;
  connect(): Promise<SqlConnection>;
}

/** Leases in a table of a database server, whose clock measures their lives. */
export class ServerStore implements LeaseStore {
  readonly pollMs = 200;
  readonly #place: ServerPlace;
  #connection: Promise<SqlConnection> | undefined;
  #isMade = false;

  constructor(place: ServerPlace) {
    this.#place = place;
  }

  async claim(name: string, claim: LeaseClaim): Promise<'taken' | 'busy'> {
    try {
      await this.#make();
      return await this.#claim(name, claim);
    } catch (error) {
      if (this.#place.dialect.collisions.includes(stateOf(error))) return 'busy';
      throw error;
    }
  }

  async #claim(name: string, claim: LeaseClaim): Promise<'taken' | 'busy'> {
    const { dialect, claimValues } = this.#place;
    try {
      for (const sql of dialect.claims) {
        if ((await this.#query(sql, claimValues(name, claim))).changes > 0) return 'taken';
      }
      return 'busy';
    } catch (error) {
      // The server may have done it all the same: then nobody would know that it is ours, and it would stay.
      if (isOutOfReach(error)) await this.release(name, claim.owner).catch(() => undefined);
      throw error;
    }
  }

  async renew(name: string, owner: string, ttl: number): Promise<boolean> {
    return (await this.#query(this.#place.dialect.renew, [ttl, name, owner])).changes > 0;
  }

  async release(name: string, owner: string): Promise<boolean> {
    return (await this.#query(this.#place.dialect.release, [name, owner])).changes > 0;
  }

  async find(name: string): Promise<LeaseRow | undefined> {
    if (!(await this.#exists())) return undefined;
    const [row] = (await this.#query(this.#place.dialect.find, [name])).rows;
    if (!row) return undefined;
    const { owner, acquired_at, expires_at, process, fence } = row;
    return {
      owner: String(owner),
      acquired_at: Number(acquired_at),
      expires_at: expires_at === null ? null : Number(expires_at),
      process: identityOf(process),
      fence: Number(fence),
    };
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await (await connection?.catch(() => undefined))?.close();
  }

  async #make(): Promise<void> {
    if (!this.#isMade && !(await this.#exists())) await this.#query(this.#place.dialect.create);
    this.#isMade = true;
  }

  async #exists(): Promise<boolean> {
    return (await this.#query(this.#place.dialect.exists)).rows.length > 0;
  }

  async #query(sql: string, values: readonly SqlValue[] = []): Promise<SqlAnswer> {
    this.#connection ??= this.#place.connect();
    try {
      return await (await this.#connection).query(sql, values);
    } catch (error) {
      // The next one begins anew where the way to the server is broken.
      if (isOutOfReach(error)) await this.close();
      throw error;
    }
  }
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof Failure && error.facts.kinds.includes('network');
}

/** The server's own code of an error. */
function stateOf(error: unknown): string {
  const cause = error instanceof Failure ? error.options.cause : undefined;
  if (typeof cause !== 'object' || cause === null) return '';
  if ('sqlState' in cause) return String(cause.sqlState);
  return 'code' in cause ? String(cause.code) : '';
}
