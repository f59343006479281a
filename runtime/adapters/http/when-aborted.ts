type Callback = (reason: unknown) => void;

/** Callbacks by the signal that they wait for. */
const waiting = new WeakMap<AbortSignal, Set<Callback>>();

/**
 * Calls back when a signal is aborted, at once where it is already; what it yields takes the callback back. A signal
 * gets one listener for all: adding and removing one takes ten times as long as a place in a set.
 */
export function whenAborted(signal: AbortSignal, callback: Callback): () => void {
  if (signal.aborted) {
    callback(signal.reason);
    return () => undefined;
  }
  const callbacks = waiting.get(signal) ?? hear(signal);
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

function hear(signal: AbortSignal): Set<Callback> {
  const callbacks = new Set<Callback>();
  waiting.set(signal, callbacks);
  signal.addEventListener(
    'abort',
    () => {
      for (const callback of callbacks) callback(signal.reason);
    },
    { once: true },
  );
  return callbacks;
}
