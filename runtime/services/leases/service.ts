import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { HeldAround } from '../file-locks/held-around.ts';
import { describe, isGone, ownIdentity, type ProcessIdentity } from '../file-locks/process-identity.ts';
import { Held } from './held-lease.ts';
import { openStore, placeKey } from './place.ts';
import type { HeldLease, LeaseOptions, LeaseStatus } from './port.ts';
import type { LeaseRow, LeaseStore } from './store.ts';

export const provider: Provider<'leases'> = {
  open: (context) => {
    const service = new LeaseService(context);
    context.release(() => service.releaseAll());
    return service;
  },
};

const notHeld: LeaseStatus = { held: false, owner: null, acquired_at: null, expires_at: null, fence: null };

class LeaseService {
  readonly #context: PortContext;
  readonly #held = new Set<HeldLease>();
  readonly #around = new HeldAround();

  constructor(context: PortContext) {
    this.#context = context;
  }

  async acquire(place: string, lease: string, options: LeaseOptions): Promise<HeldLease> {
    const { host, folders } = this.#context;
    const name = `lease:${placeKey(folders.cwd, place)} ${lease}`;
    const { step } = options;
    if (step && this.#around.has(step, name)) throw fail.lockHeldAround({ name: lease });
    const own = ownIdentity();
    const store = await openStore(this.#context, place, { own, signal: options.signal, create: true });
    if (!store) throw new Error('a store that may be made is there');
    try {
      const owner = options.owner ?? Buffer.from(host.random.bytes(16)).toString('hex');
      const since = await this.#claim(store, { lease, owner, own }, options);
      const letGo = step && this.#around.add(step, name);
      const held = new Held({ lease, owner, ttl: options.ttl, since }, store, host.clock, () => {
        letGo?.();
        this.#held.delete(held);
      });
      this.#held.add(held);
      return held;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  async status(place: string, lease: string, signal: AbortSignal): Promise<LeaseStatus> {
    const own = ownIdentity();
    const store = await openStore(this.#context, place, { own, signal, create: false });
    if (!store) return notHeld;
    try {
      const row = await store.find(lease);
      if (!row || hasEnded(row, own)) return notHeld;
      const { owner, acquired_at, expires_at, fence } = row;
      return { held: true, owner, acquired_at, expires_at, fence };
    } finally {
      await store.close();
    }
  }

  async releaseAll(): Promise<void> {
    const ended = await Promise.allSettled([...this.#held].map((lease) => lease.release()));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  }

  /** Monotonic time (ms) at which the claim that finally succeeded was sent. */
  async #claim(
    store: LeaseStore,
    { lease, owner, own }: { readonly lease: string; readonly owner: string; readonly own: ProcessIdentity },
    { timeout, ttl, signal }: LeaseOptions,
  ): Promise<number> {
    const { clock, random } = this.#context.host;
    const begin = clock.monotonic();
    for (;;) {
      signal.throwIfAborted();
      const since = clock.monotonic();
      if ((await store.claim(lease, { owner, ttl, process: own })) === 'taken') return since;
      const row = await store.find(lease);
      // Only this owner's row goes: a claim that came meanwhile stays.
      if (row && hasEnded(row, own) && (await store.release(lease, row.owner))) continue;
      const left = timeout === null ? Infinity : timeout * 1000 - (clock.monotonic() - begin);
      if (left <= 0)
        throw fail.lockTimedOut({ name: lease, seconds: timeout ?? 0, holder: row?.process && describe(row.process) });
      await clock.sleep(Math.min(store.pollMs * (0.8 + 0.4 * random.number()), left), signal);
    }
  }
}

function hasEnded({ process }: LeaseRow, own: ProcessIdentity): boolean {
  return process !== undefined && isGone(process, own);
}
