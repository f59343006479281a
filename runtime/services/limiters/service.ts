import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import { CircuitBreaker } from './circuit-breaker.ts';
import type { Limiters } from './port.ts';
import { TokenBucket } from './token-bucket.ts';

/** A run's units share one rate and one state of what they ask. */
export const provider: Provider<'limiters'> = {
  open: ({ host, ofRun }) => ofRun('limiters', () => openLimiters(host)),
};

function openLimiters({ clock }: Pick<Host, 'clock'>): Limiters {
  const breakers = new Named<CircuitBreaker>();
  const buckets = new Named<TokenBucket>();
  return {
    breaker: (name, settings) => breakers.get(name, settings, () => new CircuitBreaker(clock, { name, ...settings })),
    knownBreaker: (name) => breakers.known(name),
    bucket: (name, settings) => buckets.get(name, settings, () => new TokenBucket(clock, { name, ...settings })),
  };
}

/** Things that keep the settings of their first use. */
class Named<Thing> {
  readonly #things = new Map<string, { readonly thing: Thing; readonly settings: string }>();

  get(name: string, given: object, make: () => Thing): Thing {
    const settings = JSON.stringify(given);
    const known = this.#things.get(name);
    if (known && known.settings !== settings)
      throw fail.guardSettingsDiffer({ name, first: known.settings, given: settings });
    if (known) return known.thing;
    const thing = make();
    this.#things.set(name, { thing, settings });
    return thing;
  }

  known(name: string): Thing | undefined {
    return this.#things.get(name)?.thing;
  }
}
