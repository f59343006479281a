import type { Clock } from '#schemas/types/host.ts';

/** The longest wait that one timer of the platform can hold. */
const LONGEST = 2 ** 31 - 1;

export const clock: Clock = {
  now: () => Date.now(),
  monotonic,
  offset: (at) => -new Date(at).getTimezoneOffset(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return void reject(signal.reason);
      const onAbort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = timer(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  timer,
};

/** `performance` would load a module of its own at its first use. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

function timer(ms: number, callback: () => void, options?: { readonly background?: boolean }): () => void {
  const begin = monotonic();
  let handle = setTimeout(tick, Math.min(ms, LONGEST));
  if (options?.background) handle.unref();
  function tick(): void {
    const left = ms - (monotonic() - begin);
    if (ms <= LONGEST || !(left > 0)) return callback();
    handle = setTimeout(tick, Math.min(left, LONGEST));
    if (options?.background) handle.unref();
  }
  return () => clearTimeout(handle);
}
