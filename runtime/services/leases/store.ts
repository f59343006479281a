import type { ProcessIdentity } from '../file-locks/process-identity.ts';

/** Store of leases: one connection, used by one lease at a time. */
export interface LeaseStore {
  /** Poll interval (ms) while a lease is held by another. */
  readonly pollMs: number;
  /** Takes it where it is free or its life is over, in one step that no other claim can come between. */
  claim(name: string, claim: LeaseClaim): Promise<'taken' | 'busy'>;
  /** False: it is not this owner's any more. */
  renew(name: string, owner: string, ttl: number): Promise<boolean>;
  /** False: it was not this owner's. */
  release(name: string, owner: string): Promise<boolean>;
  /** Undefined where it is free or its life is over. */
  find(name: string): Promise<LeaseRow | undefined>;
  close(): Promise<void>;
}

export interface LeaseClaim {
  readonly owner: string;
  /** Seconds; null: without end. */
  readonly ttl: number | null;
  readonly process: ProcessIdentity;
}

export interface LeaseRow {
  readonly owner: string;
  readonly acquired_at: number;
  readonly expires_at: number | null;
  readonly fence: number | null;
  /** Undefined where another program made it. */
  readonly process: ProcessIdentity | undefined;
}
