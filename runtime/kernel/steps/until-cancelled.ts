import type { Clock } from '#schemas/types/host.ts';

import type { Cancellation } from '../cancellation.ts';

/** Time (ms) that a cancelled command has to clean up behind itself before it is left alone. */
const GRACE_MS = 2000;

export interface Cancelled {
  onCancel(): void;
  /** Work of the call that may go on in a time of its own all the same. */
  lasting(): Iterable<Promise<unknown>>;
}

/**
 * The outcome of a call, unless it is cancelled: then the reason, as soon as the call has ended or a moment has passed.
 * A late success is none.
 */
export function untilCancelled<T>(
  call: PromiseLike<T>,
  cancel: Cancellation,
  clock: Clock,
  cancelled?: Cancelled,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let endGrace: (() => void) | undefined;
    const leave = cancel.whenCancelled((reason) => {
      cancelled?.onCancel();
      endGrace = clock.timer(
        GRACE_MS,
        () => void Promise.allSettled(cancelled?.lasting() ?? []).then(() => reject(reason)),
      );
    });
    const ended = (settle: () => void): void => {
      leave();
      endGrace?.();
      if (cancel.cancelled) reject(cancel.reason);
      else settle();
    };
    call.then(
      (value) => ended(() => resolve(value)),
      (error: unknown) => ended(() => reject(error)),
    );
  });
}
