import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';

import type { HeldLease } from './port.ts';
import type { LeaseStore } from './store.ts';

export interface LeaseFacts {
  /** Name as people wrote it. */
  readonly lease: string;
  readonly owner: string;
  /** Seconds. */
  readonly ttl: number | null;
  /** Monotonic time (ms) at which the claim that finally succeeded was sent. */
  readonly since: number;
}

/** A lease that renews itself every third of its life, and tells when it was lost. */
export class Held implements HeldLease {
  readonly owner: string;
  readonly #facts: LeaseFacts;
  readonly #store: LeaseStore;
  readonly #clock: Clock;
  readonly #lost = new AbortController();
  readonly #ended: () => void;
  readonly #timers = new Map<'renew' | 'end', () => void>();
  #released: Promise<void> | undefined;

  constructor(facts: LeaseFacts, store: LeaseStore, clock: Clock, ended: () => void) {
    this.#facts = facts;
    this.owner = facts.owner;
    this.#store = store;
    this.#clock = clock;
    this.#ended = ended;
    this.#livesFrom(facts.since);
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  async renew(): Promise<void> {
    this.#lost.signal.throwIfAborted();
    const { ttl, lease, owner } = this.#facts;
    if (ttl === null) return;
    const since = this.#clock.monotonic();
    if (!(await this.#store.renew(lease, owner, ttl))) this.#lose('somebody else has it');
    this.#lost.signal.throwIfAborted();
    this.#livesFrom(since);
  }

  release(): Promise<void> {
    return (this.#released ??= this.#release());
  }

  async #release(): Promise<void> {
    this.#stopTimers();
    try {
      if (!(await this.#giveUp())) this.#lose('somebody else has it');
    } finally {
      this.#ended();
      await this.#store.close();
    }
    this.#lost.signal.throwIfAborted();
  }

  async #giveUp(): Promise<boolean> {
    const { lease, owner } = this.#facts;
    try {
      return await this.#store.release(lease, owner);
    } catch {
      // The connection may have broken while nothing was asked of it.
      return await this.#store.release(lease, owner);
    }
  }

  /** A life counts from before it was asked for: here it ends no later than in the database. */
  #livesFrom(since: number): void {
    const { ttl } = this.#facts;
    if (ttl === null || this.#released) return;
    const left = since + ttl * 1000 - this.#clock.monotonic();
    this.#setTimer('end', left, () => this.#lose('it could not be renewed within its life'));
    this.#setTimer('renew', left - (ttl * 2000) / 3, () => void this.#renewAgain());
  }

  async #renewAgain(): Promise<void> {
    try {
      await this.renew();
    } catch {
      const { ttl } = this.#facts;
      if (this.#lost.signal.aborted || this.#released || ttl === null) return;
      // Out of reach for now: asked again until its life is over.
      this.#setTimer('renew', (ttl * 1000) / 20, () => void this.#renewAgain());
    }
  }

  #lose(reason: string): void {
    this.#stopTimers();
    this.#lost.abort(fail.lockLost({ name: this.#facts.lease, reason }));
  }

  #setTimer(kind: 'renew' | 'end', ms: number, work: () => void): void {
    this.#timers.get(kind)?.();
    this.#timers.set(kind, this.#clock.timer(Math.max(ms, 0), work));
  }

  #stopTimers(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}
