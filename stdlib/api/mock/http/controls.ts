import type { Json } from '#schemas/types/json.ts';

import type { Faults, MockControls, MockState } from './port.ts';
import type { ReceivedLog } from './received.ts';

const none: Faults = {
  latency_seconds: 0,
  failure_probability: 0,
  failure_status: 500,
  failure_body: 'injected failure',
};

/** State, counts and faults of one mock, with the doors to them that handlers get. */
export interface Controls extends MockControls {
  readonly faults: Faults;
  /** Answers that rules with a limit gave. */
  readonly counts: Map<object, number>;
  reset(): void;
  /** Remembers state, counts and faults; what it yields brings them back. */
  save(): () => void;
}

export function makeControls(log: ReceivedLog): Controls {
  let faults = none;
  const values = new Map<string, Json>();
  const counts = new Map<object, number>();
  const state: MockState = {
    get: (key, fallback = null) => (values.has(key) ? (values.get(key) ?? null) : fallback),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
    clear: () => values.clear(),
    snapshot: () => Object.fromEntries(values),
  };
  return {
    get faults() {
      return faults;
    },
    counts,
    state,
    webhooks: { all: () => log.webhooks, latest: () => log.webhooks.at(-1) ?? null, clear: () => log.clearWebhooks() },
    configureFaults: (changes) => {
      const said = Object.entries(changes).filter(([, value]) => value !== undefined);
      const next = { ...faults, ...(Object.fromEntries(said) as Partial<Faults>) };
      if (!(next.failure_probability >= 0 && next.failure_probability <= 1))
        throw new RangeError('failure_probability must lie between 0 and 1');
      faults = { ...next, latency_seconds: Math.max(next.latency_seconds, 0) };
    },
    save: () => {
      const [before, kept, counted] = [faults, [...values], [...counts]];
      return () => {
        counts.clear();
        for (const [rule, count] of counted) counts.set(rule, count);
        faults = before;
        values.clear();
        for (const [key, value] of kept) values.set(key, structuredClone(value));
      };
    },
    reset: () => {
      faults = none;
      values.clear();
      counts.clear();
    },
  };
}
