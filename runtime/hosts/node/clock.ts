import type { Clock } from '#schemas/types/host.ts';

/** The longest wait that one timer of the platform can hold. */
const LONGEST = 2 ** 31 - 1;

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
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

function timer(ms: number, callback: () => void, options?: { readonly background?: boolean }): () => void {
  const begin = performance.now();
  let handle = setTimeout(tick, Math.min(ms, LONGEST));
  if (options?.background) handle.unref();
  function tick(): void {
    const left = ms - (performance.now() - begin);
    if (ms <= LONGEST || left <= 0) return callback();
    handle = setTimeout(tick, Math.min(left, LONGEST));
    if (options?.background) handle.unref();
  }
  return () => clearTimeout(handle);
}
