import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { unknownTestObject } from '#schemas/generated/failures.ts';

import { strategyOf } from './locator.ts';
import type { Locator } from './locator.ts';
import { selectorForm } from './wire-forms.ts';

/** The locators that a unit has given names; both engines look them up here. */
export interface TestObjects {
  /** A name that is saved again takes the new locator. `strategy` in any letter case. */
  save(name: string, strategy: string, value: string): Locator;
  /** Fails where nothing has that name. */
  get(name: string): Locator;
  find(name: string): Locator | undefined;
  /** The locator as a selector of the second engine. */
  selector(locator: Locator): string;
  clear(): void;
  /** Locators to try, in order, where the saved one of that name finds nothing. */
  fallbacks(name: string): readonly Locator[];
  addFallback(name: string, strategy: string, value: string): void;
  /** Replaces those of the name; an empty list forgets them. */
  setFallbacks(name: string, fallbacks: readonly (readonly [strategy: string, value: string])[]): void;
  /** Forgets the fallbacks of all names. Saved locators stay. */
  clearFallbacks(): void;
  /** Tells people that an element was found by another locator than its own. */
  healed(text: string): void;
}

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly testObjects: TestObjects;
  }
}

export const provider: Provider<'testObjects'> = { open: openTestObjects };

function openTestObjects({ eachRow, notice }: PortContext): TestObjects {
  const saved = new Map<string, Locator>();
  const fallbacks = new Map<string, readonly Locator[]>();
  eachRow(() => {
    const [before, beforeFallbacks] = [[...saved], [...fallbacks]];
    return () => {
      saved.clear();
      fallbacks.clear();
      for (const [name, locator] of before) saved.set(name, locator);
      for (const [name, locators] of beforeFallbacks) fallbacks.set(name, locators);
    };
  });
  return {
    save(name, spelling, value) {
      const locator = locatorFrom(spelling, value);
      saved.set(name, locator);
      return locator;
    },
    find: (name) => saved.get(name),
    get(name) {
      const locator = saved.get(name);
      if (!locator) throw unknownTestObject({ name, help: savedNames([...saved.keys()]) });
      return locator;
    },
    selector: selectorForm,
    clear: () => saved.clear(),
    fallbacks: (name) => fallbacks.get(name) ?? [],
    addFallback: (name, spelling, value) =>
      void fallbacks.set(name, [...(fallbacks.get(name) ?? []), locatorFrom(spelling, value)]),
    setFallbacks: (name, list) =>
      void fallbacks.set(
        name,
        list.map(([spelling, value]) => locatorFrom(spelling, value)),
      ),
    clearFallbacks: () => fallbacks.clear(),
    healed: (text) => notice('warning', text),
  };
}

function locatorFrom(spelling: string, value: string): Locator {
  const strategy = strategyOf(spelling);
  if (!strategy) throw new TypeError(`"${spelling}" is no strategy: the declaration lets only known ones through`);
  return { strategy, value };
}

/** So that a slip in a name is seen at once. */
function savedNames(known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  return `Saved are ${known
    .toSorted()
    .slice(0, 10)
    .map((name) => `"${name}"`)
    .join(', ')}${known.length > 10 ? ' and others' : ''}.`;
}
