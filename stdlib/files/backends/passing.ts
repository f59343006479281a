import type { Clock } from '#schemas/types/host.ts';
import { Failure } from '#schemas/types/failure.ts';
import { isObject } from '#schemas/types/json.ts';

/** Before the second, the third and the fourth try, in milliseconds. */
const WAITS = [250, 1000, 4000];
/** A service that asks for more patience than this is left to the `retry` of the step. */
const LONGEST_WAIT = 30_000;

/** Whether the same may succeed when it is tried again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  const { class: kind, kinds } = error.facts;
  if (kind === 'real') return false;
  return kind === 'transient' || kinds.includes('network') || kinds.includes('timeout');
}

/** Time (ms) to wait before try number `tries` + 1 of what may be tried again; undefined: that were too many. */
export function nextWait(tries: number): number | undefined {
  return WAITS[tries - 1];
}

/** Time (ms) to wait before try number `tries` + 1; undefined: it is not tried again. */
export function waitBefore(error: unknown, tries: number): number | undefined {
  const wait = nextWait(tries);
  if (wait === undefined || !isPassing(error)) return undefined;
  const asked = error instanceof Failure ? askedFor(error.options.result) : undefined;
  if (asked === undefined) return wait;
  return asked > LONGEST_WAIT ? undefined : asked;
}

/** Failures of services keep here what Retry-After said, in milliseconds. */
function askedFor(result: unknown): number | undefined {
  return isObject(result) && typeof result['retry_after_ms'] === 'number' ? result['retry_after_ms'] : undefined;
}

/** Does something, and again while it fails with what may pass. Only for what can be done twice. */
export async function patiently<Result>(
  clock: Clock,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const wait = waitBefore(error, tries);
      if (wait === undefined) throw error;
      await clock.sleep(wait, signal);
    }
  }
}
