import type { WebElement } from 'selenium-webdriver';

import { nameOf } from '../test-objects/locator.ts';
import type { Locator } from '../test-objects/locator.ts';
import type { CurrentElement, ElementRef } from './port.ts';

/** Result of a look at an element at the moment in which it was found: it was ready for any action. */
export interface Glance {
  readonly fieldType: string;
  /** Monotonic time (ms) of the look. */
  readonly at: number;
  /** Number of the session's call that looked. */
  readonly call: number;
}

/** An element that was found, with how it was found. */
export class Current implements CurrentElement {
  readonly element: WebElement;
  readonly id: string;
  readonly locator: Locator;
  readonly glance: Glance | undefined;

  constructor(element: WebElement, id: string, locator: Locator, glance?: Glance) {
    this.element = element;
    this.id = id;
    this.locator = locator;
    this.glance = glance;
  }

  get name(): string {
    return nameOf(this.locator);
  }
}

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/**
 * An element as a result: a live object in records, and what scripts and protocol commands take back as an argument.
 */
class Ref implements ElementRef {
  readonly $handle = 'element';
  readonly [elementKey]: string;

  constructor(id: string) {
    this[elementKey] = id;
  }
}

export function refOf(id: string): ElementRef {
  return new Ref(id);
}

/** An answer of the driver with its references to elements made handles, at any depth. */
export function withHandles(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer ?? null;
  if (Array.isArray(answer)) return answer.map(withHandles);
  if (elementKey in answer && typeof answer[elementKey] === 'string') return refOf(answer[elementKey]);
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, withHandles(value)]));
}
