/** Calls that block may hold everything else for so long. */
const TURN_MS = 10;

/** Calls between two looks at the clock: a small one takes as long as the look. */
const LOOK = 8;

/** Time at which everything else last had its turn, and the number of calls since, of the whole process. */
const turn = { ended: 0, calls: 0 };

/**
 * Goes before a call that blocks. Where such calls have followed one another for long, timers, signals and other steps
 * have their turn first. Rejects with the signal's reason when it is aborted.
 */
export async function yieldTurn(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  turn.calls += 1;
  if (turn.calls % LOOK !== 0 || milliseconds() - turn.ended < TURN_MS) return;
  await new Promise((resolve) => setImmediate(resolve));
  turn.ended = milliseconds();
  signal?.throwIfAborted();
}

/** `performance` would load a module of its own at its first use. */
function milliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
