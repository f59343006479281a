import type { Clock } from '#schemas/types/host.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
  readonly background: boolean;
}

/** A clock that stands still until somebody moves it. */
export interface FakeClock extends Clock {
  /** Moves time on and calls what falls due, each at its own moment, with promises settled between them. */
  advance(ms: number): Promise<void>;
  /** Moves from one timer to the next until `work` has settled. Fails where nothing is left that could settle it. */
  run<T>(work: Promise<T>): Promise<T>;
  /** Milliseconds from now of every timer that waits. */
  readonly waiting: readonly number[];
}

/** Time from `start`, milliseconds since 1970, at a place that is `offset` minutes ahead of UTC. */
export function fakeClock(start: number, offset = 0): FakeClock {
  let now = start;
  let order = 0;
  const timers = new Set<Timer>();
  const timer: Clock['timer'] = (ms, callback, options) => {
    const entry: Timer = {
      at: now + Math.max(ms, 0),
      order: order++,
      callback,
      background: options?.background ?? false,
    };
    timers.add(entry);
    return () => void timers.delete(entry);
  };
  const next = (): Timer | undefined => [...timers].sort((a, b) => a.at - b.at || a.order - b.order)[0];
  const fire = (entry: Timer): void => {
    timers.delete(entry);
    now = Math.max(now, entry.at);
    entry.callback();
  };
  return {
    now: () => now,
    monotonic: () => now - start,
    offset: () => offset,
    timer,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return void reject(signal.reason);
        const cancel = timer(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        const onAbort = (): void => {
          cancel();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    get waiting() {
      return [...timers].map((entry) => entry.at - now).sort((a, b) => a - b);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let entry = next(); entry && entry.at <= end; entry = next()) {
        fire(entry);
        await settle();
      }
      now = end;
    },
    async run(work) {
      let settled = false;
      const done = (): void => void (settled = true);
      work.then(done, done);
      await settle();
      while (!settled) {
        const entry = next();
        if (!entry) throw new Error('the work waits for something that is no timer');
        fire(entry);
        await settle();
      }
      return work;
    },
  };
}

/** Lets promises that are ready call back, and those that follow from them, including those of real files. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
