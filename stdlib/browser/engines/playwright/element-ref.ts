import type { ElementHandle } from 'playwright-core';

import { isObject } from '#schemas/types/json.ts';

import type { ElementRef } from './port.ts';

/** Lets go, in the browser too, of an element that no variable and no step holds any more. */
const unheld = new FinalizationRegistry<ElementHandle>((element) => {
  // A page that is gone has let go of all of its elements.
  void element.dispose().catch(() => undefined);
});

/** A live element: records show only its kind, scripts take it as an argument. */
export class PlaywrightElement implements ElementRef {
  readonly $handle = 'element';
  readonly #element: ElementHandle;

  constructor(element: ElementHandle) {
    this.#element = element;
    unheld.register(this, element);
  }

  get element(): ElementHandle {
    return this.#element;
  }
}

/** Arguments of a script with the library's own handles in the place of ours, at any depth. */
export function unwrapped(value: unknown): unknown {
  if (value instanceof PlaywrightElement) return value.element;
  if (Array.isArray(value)) return value.map(unwrapped);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unwrapped(part)]))
    : value;
}
