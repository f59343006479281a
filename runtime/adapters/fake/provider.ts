import { faker } from '@faker-js/faker/locale/en';

import { nearest } from '#grammar/language/nearest.ts';
import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { argumentsOf } from './arguments.ts';
import { makers } from './makers.ts';

const SEEDS = 2 ** 32;

export const provider: Provider<'fake'> = {
  open: ({ host, eachRow }) => {
    const names = [...makers.keys()].sort();
    // Number of values that the seed of this unit has given; undefined: it has none, and chance decides.
    let own: { readonly seed: number; drawn: number } | undefined;
    const counts = new Map<string, number>();
    eachRow(() => {
      const [seeded, counted] = [own && { ...own }, [...counts]];
      return () => {
        own = seeded && { ...seeded };
        counts.clear();
        for (const [name, count] of counted) counts.set(name, count);
      };
    });
    return {
      names,
      next: (name) => {
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        return count;
      },
      seed: (seed) => void (own = { seed, drawn: 0 }),
      value: ({ name, positional = [], named = {} }, chance) => {
        const maker = makers.get(name);
        if (!maker) throw fail.fakeUnknown({ name, nearest: nearest(name, names), names: names.join(', ') });
        const given = argumentsOf(name, maker.takes, positional, named);
        // The library keeps its chance in the module: a seed for each value makes that no state at all.
        if (own) {
          faker.seed([own.seed, (own.drawn += 1)]);
          chance.seededBy(own.seed);
        } else faker.seed(Math.floor(chance.number() * SEEDS));
        return maker.make(faker, given, host.clock.now());
      },
    };
  },
};
