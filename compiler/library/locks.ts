import { randomBytes } from 'node:crypto';

import type { HeldFileLock } from '#runtime/services/file-locks/port.ts';
import type { HeldLease } from '#runtime/services/leases/port.ts';
import * as fail from '#schemas/generated/failures.ts';

import { above, atLeastZero } from './numbers.ts';
import { Session } from './session.ts';

/** Time (s) that a lock is waited for unless told otherwise. */
const PATIENCE_S = 60;

interface Held {
  release(): Promise<void>;
}

/** Base of both locks. Not re-entrant: who holds it and asks once more is refused at once. */
abstract class Lock<Kind extends Held> implements AsyncDisposable {
  protected held: Kind | undefined;
  /** Session of the lock, from the moment at which it is asked for. */
  #claim: Promise<Session> | undefined;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  protected abstract open(session: Session): Promise<Kind>;

  /** Whether this object holds it. */
  get is_held(): boolean {
    return this.held !== undefined;
  }

  /** Rejects with `LockTimeoutException` when time is over, and where it was released meanwhile. */
  async acquire(): Promise<null> {
    if (this.#claim) throw fail.lockHeldAround({ name: this.#name });
    const claim = (this.#claim = Session.open());
    try {
      const held = await this.open(await claim);
      if (this.#claim !== claim) throw this.#released();
      this.held = held;
      return null;
    } catch (error) {
      const isReleased = this.#claim !== claim;
      if (!isReleased) this.#claim = undefined;
      await (await claim.catch(() => undefined))?.close();
      throw isReleased ? this.#released() : error;
    }
  }

  /** Harmless when it is not held; who waits for it waits no longer. Rejects where the lock was lost meanwhile. */
  async release(): Promise<null> {
    const { held } = this;
    const claim = this.#claim;
    this.held = undefined;
    this.#claim = undefined;
    try {
      await held?.release();
    } finally {
      await (await claim?.catch(() => undefined))?.close();
    }
    return null;
  }

  /** Runs work while the lock is held. */
  async use<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    await this.acquire();
    try {
      return await work();
    } finally {
      await this.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  #released(): Error {
    return fail.lockLost({ name: this.#name, reason: 'it was released before it was acquired' });
  }
}

/** A limit that can be; null waits for ever. */
function patience(timeout: number | null): number | null {
  return timeout === null ? null : atLeastZero('timeout', timeout);
}

/** Options of a lock: how long to wait for it. */
export interface LockOptions {
  /** Longest wait in seconds, 60 unless given; 0 tries once; null waits for ever. */
  readonly timeout?: number | null;
}

/** An exclusive lock between processes, by a lock file that is made when it is missing and stays. */
export class FileLock extends Lock<HeldFileLock> {
  /** Path as it was given. */
  readonly path: string;
  readonly #timeout: number | null;

  constructor(path: string, { timeout = PATIENCE_S }: LockOptions = {}) {
    super(path);
    this.path = path;
    this.#timeout = patience(timeout);
  }

  protected open(session: Session): Promise<HeldFileLock> {
    return session.step('FileLock', ['fileLocks'], (ctx) =>
      ctx.fileLocks.acquire(this.path, { timeout: this.#timeout, signal: ctx.signal }),
    );
  }
}

/** Options of a lease: how long to wait for it, and how long it lasts. */
export interface LeaseOptions extends LockOptions {
  /** Life in seconds, renewed by itself while the lock is held; null: without end. */
  readonly ttl?: number | null;
}

/** A named lease in a SQLite file, or at an address of a PostgreSQL or MariaDB database. */
export class SQLiteLock extends Lock<HeldLease> {
  /** 32 hex digits. */
  readonly owner = randomBytes(16).toString('hex');
  /** A SQLite file, or the address of a PostgreSQL or MariaDB database. */
  readonly db_path: string;
  readonly name: string;
  readonly #timeout: number | null;
  readonly #ttl: number | null;

  constructor(db_path: string, name: string, { timeout = PATIENCE_S, ttl = null }: LeaseOptions = {}) {
    super(name);
    this.db_path = db_path;
    this.name = name;
    this.#timeout = patience(timeout);
    this.#ttl = ttl === null ? null : above('ttl', ttl);
  }

  /** False as soon as it is known that the lease was lost. */
  override get is_held(): boolean {
    return this.held !== undefined && !this.held.signal.aborted;
  }

  /** Aborted as soon as it is known that the lease was lost; undefined while it is not held. */
  get signal(): AbortSignal | undefined {
    return this.held?.signal;
  }

  /** Gives it another life from now. Rejects where the lease was lost, or is not held. */
  async refresh(): Promise<null> {
    if (!this.held) throw fail.lockLost({ name: this.name, reason: 'it is not held' });
    await this.held.renew();
    return null;
  }

  protected open(session: Session): Promise<HeldLease> {
    return session.step('SQLiteLock', ['leases'], (ctx) =>
      ctx.leases.acquire(this.db_path, this.name, {
        timeout: this.#timeout,
        ttl: this.#ttl,
        signal: ctx.signal,
        owner: this.owner,
      }),
    );
  }
}
