import type { Clock } from '#schemas/types/host.ts';

/** What a request is waiting for: `connect`, `answer` (the status line), `body`. */
export type Stage = 'connect' | 'answer' | 'body';

/** Thrown where the request's own time limit ran out; the caller says it in its own words. */
export class TimeLimit extends Error {}

/** One end for everything that a request waits for: its time limit, or the signal of the step. */
export interface Deadline {
  readonly signal: AbortSignal;
  close(): void;
}

export function openDeadline(clock: Clock, timeoutMs: number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  const forward = (): void => controller.abort(outer.reason);
  const cancel = clock.timer(timeoutMs, () => controller.abort(new TimeLimit()));
  if (outer.aborted) forward();
  else outer.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    close: () => {
      cancel();
      outer.removeEventListener('abort', forward);
    },
  };
}
