import type { faker } from '@faker-js/faker/locale/en';

import type { Json } from '#schemas/types/json.ts';

import type { Arguments, Takes } from './arguments.ts';

export type Faker = typeof faker;

export interface Maker {
  /** Parameters with their defaults, in the order of their positions. */
  readonly takes: Takes;
  /** `now`: milliseconds since 1970. */
  make(faker: Faker, given: Arguments, now: number): Json;
}

/** A maker that takes nothing. */
export function plain(make: (faker: Faker, now: number) => Json): Maker {
  return { takes: {}, make: (faker, _given, now) => make(faker, now) };
}
