import type { Locator } from 'playwright-core';

import type { Target } from './port.ts';

/** A property of the element as its page sees it. */
export function readProperty(target: Target, name: string): Promise<unknown> {
  return isLocator(target) ? target.evaluate(read, name) : target.evaluate(read, name);
}

/** Runs in the page. */
function read(element: object, name: string): unknown {
  return (element as Readonly<Record<string, unknown>>)[name];
}

export function isLocator(target: Target): target is Locator {
  return 'pressSequentially' in target;
}
