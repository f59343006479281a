import type { Chance } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly fake: Fake;
  }
}

/**
 * Made-up values. They follow from the chance that is given, or from `seed` once that was called in this unit.
 * Addresses of mail and web, of networks, telephones and cards are of domains and ranges that are reserved for examples
 * and tests.
 */
export interface Fake {
  /** Starts the values that follow in this unit anew: they depend on this number alone. */
  seed(seed: number): void;
  /**
   * A value by the name of its maker; values by position, then by name. Fails for an unknown name, with the nearest
   * ones, and for values that do not fit.
   */
  value(call: FakeCall, chance: Pick<Chance, 'number' | 'seededBy'>): Json;
  /** Counts from 1, for each name on its own: numbers of entities. */
  next(name: string): number;
  /** Names that `value` knows, sorted. */
  readonly names: readonly string[];
}

export interface FakeCall {
  readonly name: string;
  readonly positional?: readonly Json[];
  readonly named?: Readonly<Record<string, Json>>;
}
