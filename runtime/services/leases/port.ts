import type { StepInfo } from '#runtime/kernel/ports.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly leases: Leases;
  }
}

/**
 * Named leases in a database that all participants reach: a SQLite file, PostgreSQL or MariaDB. Leases still
 * held at the end of the unit is let go.
 */
export interface Leases {
  /** Waits for a lease. Fails when time is over. */
  acquire(place: string, name: string, options: LeaseOptions): Promise<HeldLease>;
  status(place: string, name: string, signal: AbortSignal): Promise<LeaseStatus>;
}

export interface LeaseOptions {
  /** Longest wait in seconds; 0 tries once; null waits for as long as it takes. */
  readonly timeout: number | null;
  /** Life in seconds, renewed while it is held; null: until it is released or its process is gone. */
  readonly ttl: number | null;
  readonly signal: AbortSignal;
  /** The call that will hold it: asking fails at once where a call around it does. Absent: nothing stands around. */
  readonly step?: StepInfo;
  /** 32 hex digits that nobody else uses; made unless given. */
  readonly owner?: string;
}

export interface HeldLease {
  /** 32 hex digits. */
  readonly owner: string;
  /** Aborted with the failure as soon as it is known that the lease was lost. */
  readonly signal: AbortSignal;
  /** Gives it another life from now. Fails where it was lost. */
  renew(): Promise<void>;
  /** Fails where it was lost. More than once does no harm. */
  release(): Promise<void>;
}

export interface LeaseStatus {
  readonly held: boolean;
  readonly owner: string | null;
  /** Seconds since 1970, by the clock of the server or of the machine that holds it; for people. */
  readonly acquired_at: number | null;
  readonly expires_at: number | null;
  /**
   * Fence on a server: number of claims of this name so far. A writer elsewhere can refuse a claim with a
   * smaller one.
   */
  readonly fence: number | null;
}
