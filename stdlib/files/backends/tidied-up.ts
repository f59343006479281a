import { setTimeout as sleep } from 'node:timers/promises';

/** Time (ms) that a transfer that was cancelled waits for what it leaves to be removed: it ends within a second. */
const AFTER_CANCELLATION = 700;
/** The longest time (ms) of a removal. */
const LONGEST = 5000;

/** A removal of what a transfer leaves at a service. */
export interface Removal {
  /** Whether it was removed; false for every failure. */
  readonly gone: Promise<boolean>;
  stop(): void;
}

/** Begins a removal. It has a time of its own, also where the transfer was cancelled. */
export function removing(remove: (signal: AbortSignal) => Promise<boolean>): Removal {
  const stopped = new AbortController();
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(LONGEST)]);
  return { gone: remove(signal).catch(() => false), stop: () => stopped.abort() };
}

/**
 * Waits for a removal, but for a moment only where the transfer was cancelled: then it may go on beside what comes
 * next, which undefined tells.
 */
export async function awaited({ gone }: Removal, transfer: AbortSignal): Promise<boolean | undefined> {
  if (!transfer.aborted) return await gone;
  const enough = new AbortController();
  const { signal } = enough;
  try {
    return await Promise.race([gone, sleep(AFTER_CANCELLATION, undefined, { signal })]);
  } finally {
    enough.abort();
  }
}

/** Removes what a transfer leaves; failures change nothing. */
export async function tidyUp(transfer: AbortSignal, remove: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  await awaited(
    removing((signal) => remove(signal).then(() => true)),
    transfer,
  );
}
