import type { Base } from '#runtime/kernel/ports.ts';
import { nothingHealed, unknownTestObject } from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import { nameOf, spellingOf } from './locator.ts';
import type { Locator } from './locator.ts';
import type { TestObjects } from './test-objects.ts';

/**
 * The locator that finds the element of this name: its own where it finds something, else the first fallback that finds
 * exactly one element. Two alike would be a guess. A healed name is told, with the action to write in its place.
 */
export async function healingLocator(
  ctx: Pick<Base, 'attach'> & { readonly testObjects: TestObjects },
  name: string,
  count: (locator: Locator) => Promise<number>,
): Promise<Locator> {
  const own = ctx.testObjects.find(name);
  const candidates = [...(own ? [own] : []), ...ctx.testObjects.fallbacks(name)];
  if (candidates.length === 0) throw unknownTestObject({ name });
  const tried: string[] = [];
  for (const locator of candidates) {
    const found = await countOrReason(count, locator);
    if (found === 1 || (locator === own && typeof found === 'number' && found > 0)) {
      if (locator !== own) tell(ctx, name, locator, tried);
      return locator;
    }
    tried.push(
      `${nameOf(locator)} found ${found === 0 ? 'nothing' : typeof found === 'number' ? `${found} elements` : found}`,
    );
  }
  throw nothingHealed({ name, tried: tried.join('; ') });
}

/** A selector that the browser cannot read is a miss of that candidate. */
async function countOrReason(count: (locator: Locator) => Promise<number>, locator: Locator): Promise<number | string> {
  try {
    return await count(locator);
  } catch (error) {
    if (error instanceof Failure && error.facts.name === 'selector-unusable') return 'nothing: it cannot be read';
    throw error;
  }
}

function tell(
  ctx: Pick<Base, 'attach'> & { readonly testObjects: TestObjects },
  name: string,
  locator: Locator,
  tried: readonly string[],
): void {
  const params = { test_object_name: name, object_type: spellingOf(locator), locator: locator.value };
  const why = tried.length === 0 ? 'it has no locator of its own' : tried.join('; ');
  const text = `"${name}" was found by ${nameOf(locator)}: ${why}`;
  const patch = `In its place: ${JSON.stringify(['WR_save_test_object', params])}`;
  ctx.testObjects.healed(`${text}. ${patch}`);
  ctx.attach({ kind: 'text', name: 'healed', text: `${text}\n${patch}` });
}
