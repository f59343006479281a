import type { WebDriver, WebElement } from 'selenium-webdriver';

import { elementNotReady } from '#schemas/generated/failures.ts';

import { notReady, readiness } from '../page/readiness.ts';
import type { Check } from '../page/readiness.ts';

/** Milliseconds between two looks at an element that is not ready. */
const pauseMs = 50;
/** Errors of the driver for an element that changed between the look and the action. */
const changed: ReadonlySet<string> = new Set([
  'ElementClickInterceptedError',
  'ElementNotInteractableError',
  'InvalidElementStateError',
  'MoveTargetOutOfBoundsError',
]);

export interface Waiting {
  /** Name of the element in failures. */
  readonly name: string;
  /** Monotonic time (ms). */
  readonly now: () => number;
  readonly limitMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Acts on the element as soon as it passes the checks. An action that the driver refuses meanwhile is tried
 * again until the time is over; then the failure says which check did not hold, and for how long.
 */
export async function whenReady<T>(
  driver: WebDriver,
  element: WebElement,
  checks: readonly Check[],
  act: () => Promise<T>,
  { name, now, limitMs, sleep }: Waiting,
): Promise<T> {
  const begin = now();
  let since = begin;
  let last = '';
  for (;;) {
    const state = notReady(
      await driver.executeScript(`return (${readiness})(arguments[0], arguments[1])`, element, checks),
    );
    let refusal: Error | undefined;
    if (!state) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof Error) || !changed.has(error.name)) throw error;
        refusal = error;
      }
    }
    const reason = state?.words ?? '';
    if (reason !== last) [last, since] = [reason, now()];
    const left = limitMs - (now() - begin);
    // The driver has better words for what passes every check and is refused all the same.
    if (left <= 0 && refusal) throw refusal;
    if (left <= 0)
      throw elementNotReady({
        selector: name,
        reason: `${reason}, for ${seconds(now() - since)} s; waited ${seconds(now() - begin)} s`,
      });
    await sleep(Math.min(pauseMs, left));
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
