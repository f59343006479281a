import { asFailure } from '#runtime/kernel/as-failure.ts';
import type { PortName } from '#runtime/kernel/ports.ts';

import { Session } from './session.ts';
import type { Given, SessionOptions } from '#compiler/engine/unit-session.ts';

/**
 * A sequence that is made while it is read, with ports as a command has them; they are let go when the reader stops.
 */
export async function* lazily<Need extends PortName, Item>(
  name: string,
  needs: readonly Need[],
  items: (given: Given<Need>) => AsyncIterable<Item>,
  options?: SessionOptions,
): AsyncGenerator<Item, void> {
  await using session = await Session.open(options);
  const made = await session.step(name, needs, items);
  try {
    yield* made;
  } catch (error) {
    // The step has ended with the first item: what breaks behind it is told in the same words.
    throw asFailure(error, name);
  }
}
