import { deepEqual } from '#runtime/kernel/values/deep-equal.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Doubt } from '../engines/webdriver/port.ts';

/** The facts that are not as expected: what was wanted, and what is. */
export interface Differing {
  readonly facts: string;
  readonly expected: JsonObject;
  readonly actual: JsonObject;
}

/** Reads only the facts that are asked for, compares deeply, and collects all that differ. Undefined: none does. */
export async function compareFacts(
  expected: Readonly<Record<string, unknown>>,
  read: (name: string) => Promise<unknown>,
): Promise<Differing | undefined> {
  const actual: Record<string, Json> = {};
  for (const name of Object.keys(expected)) {
    const value = (await read(name)) ?? null;
    if (!deepEqual(value, expected[name])) actual[name] = value as Json;
  }
  const names = Object.keys(actual);
  if (names.length === 0) return undefined;
  return {
    facts: names.join(', '),
    expected: Object.fromEntries(names.map((name) => [name, expected[name] as Json])),
    actual,
  };
}

/** Final where one of the facts that differ can never change. */
export function doubtIn(differing: Differing | undefined, fixed: ReadonlySet<string>): Doubt<Differing> | undefined {
  return differing && { wrong: differing, isFinal: Object.keys(differing.actual).some((name) => fixed.has(name)) };
}
