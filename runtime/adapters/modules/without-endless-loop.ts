import { watchThread } from './watch-thread.ts';

/** Looks of the watch at the event loop before it takes it for stuck. */
const LOOKS = 20;

/** Tells the watch what to write to standard error before it ends a loop from now on. */
export type Warn = (warning: string) => void;

/**
 * Does work of others and ends whatever holds the event loop for longer than `ms` meanwhile: an endless loop while a
 * module is evaluated, in a function, or of promises alone. What was running never comes back, so that the work needs a
 * time limit of its own. A loop in a timer ends the process, for Node takes its books of them for corrupted then.
 *
 * A thread watches, for nothing else runs then; it asks V8 by the inspector to end what the main thread executes, as
 * the debugger's stop button does. It costs some 10 ms.
 */
export async function withoutEndlessLoop<Result>(ms: number, work: (warn: Warn) => Promise<Result>): Promise<Result> {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const watch = watchThread(textOfWatch(ms / LOOKS), beats);
  if (watch === undefined) return work(() => undefined);
  const beat = setInterval(() => Atomics.add(beats, 0, 1), ms / LOOKS / 2);
  try {
    return await work((warning) => watch.postMessage(`${warning}\n`));
  } finally {
    clearInterval(beat);
    void watch.terminate();
  }
}

/** Looks are counted, not time: where the whole process was stopped for a while, the loop had no turn either. */
function textOfWatch(pauseMs: number): string {
  return `
  const { parentPort, workerData: beats } = process.getBuiltinModule('node:worker_threads');
  const { writeSync } = process.getBuiltinModule('node:fs');
  const session = new (process.getBuiltinModule('node:inspector').Session)();
  session.connectToMainThread();
  let warning = '';
  parentPort.on('message', (text) => { warning = text; });
  let [last, still] = [-1, 0];
  setInterval(() => {
    const now = Atomics.load(beats, 0);
    still = now === last ? still + 1 : 0;
    last = now;
    if (still < ${LOOKS}) return;
    still = 0;
    try { writeSync(2, warning); } catch {}
    session.post('Runtime.terminateExecution');
  }, ${pauseMs});
`;
}
