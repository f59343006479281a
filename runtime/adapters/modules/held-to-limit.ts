import { watchThread } from './watch-thread.ts';

/** Cells for the watch: the number of the call that runs, 0 where none does, and the time (ms) that it has. */
const [CALL, MS] = [0, 1];
/** Time (ms) beyond its limit that a function has: what ends by itself just then is never ended in other hands. */
const GRACE_MS = 500;

let watch: Int32Array | undefined | null = null;
let calls = 0;

/**
 * Calls a function of others and ends it where it has not returned when its time is over: a loop would hold the
 * process, and neither time limits nor signals would be heard. What was ended never comes back, so that who waits for
 * it needs a time limit of its own. What a function does behind an `await` of its own has returned, and is not ended.
 *
 * A thread watches, for nothing else runs then; it asks V8 by the inspector to end what the main thread executes, as
 * the debugger's stop button does. One is there for all calls, and sleeps between them.
 */
export function heldToLimit<Result>(ms: number, call: () => Result): Result {
  if (watch === null) watch = startWatch();
  if (watch === undefined) return call();
  calls += 1;
  Atomics.store(watch, MS, Math.min(Math.max(0, ms) + GRACE_MS, 2 ** 31 - 1));
  tell(watch, calls);
  try {
    return call();
  } finally {
    tell(watch, 0);
  }
}

function tell(state: Int32Array, call: number): void {
  Atomics.store(state, CALL, call);
  Atomics.notify(state, CALL);
}

/** Undefined where no thread can watch. */
function startWatch(): Int32Array | undefined {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  return watchThread(WATCH, state) && state;
}

const WATCH = `
  const { workerData: state } = process.getBuiltinModule('node:worker_threads');
  const session = new (process.getBuiltinModule('node:inspector').Session)();
  session.connectToMainThread();
  for (;;) {
    Atomics.wait(state, ${CALL}, 0);
    const call = Atomics.load(state, ${CALL});
    if (call === 0 || Atomics.wait(state, ${CALL}, call, Atomics.load(state, ${MS})) !== 'timed-out') continue;
    session.post('Runtime.terminateExecution');
    Atomics.wait(state, ${CALL}, call);
  }
`;
