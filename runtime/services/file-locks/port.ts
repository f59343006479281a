import type { StepInfo } from '#runtime/kernel/ports.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly fileLocks: FileLocks;
  }
}

/** Exclusive locks between processes that share a folder. Locks still held at the end of the unit are let go. */
export interface FileLocks {
  /** Waits for the lock of a lock file, which is made with its folders when it is missing. Fails when time is over. */
  acquire(path: string, options: FileLockOptions): Promise<HeldFileLock>;
  /**
   * Takes the lock of a name, or says at once who holds it. Nothing is made at the path itself, which may name a file
   * that is not there yet.
   */
  take(path: string, signal: AbortSignal): Promise<HeldFileLock | LockHolder>;
}

export interface LockHolder {
  /** Name of the holder, for people. */
  readonly holder: string;
  /** The file that goes when the lock is let go. */
  readonly claim: string;
}

export interface FileLockOptions {
  /** Longest wait in seconds; 0 tries once; null waits for as long as it takes. */
  readonly timeout: number | null;
  readonly signal: AbortSignal;
  /** The call that will hold it: asking fails at once where a call around it does. Absent: nothing stands around. */
  readonly step?: StepInfo;
}

export interface HeldFileLock {
  /** Fails where the lock was taken away meanwhile. More than once does no harm. */
  release(): Promise<void>;
}
