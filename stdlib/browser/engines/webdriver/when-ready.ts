import type { WebDriver, WebElement } from 'selenium-webdriver';

import { elementNotReady } from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { fieldTypeIn, notReady, readiness } from '../page/readiness.ts';
import type { Check } from '../page/readiness.ts';
import { within } from '../shared/abortable.ts';

/** Milliseconds between two looks at an element that is not ready. */
const pauseMs = 50;
/** Time (ms) that a look at an element gets however little is left. */
const shortestLookMs = 50;
/** Errors of the driver for an element that changed between the look and the action. */
const changed: ReadonlySet<string> = new Set([
  'ElementClickInterceptedError',
  'ElementNotInteractableError',
  'InvalidElementStateError',
  'MoveTargetOutOfBoundsError',
]);

/** Facts about an element, from a look at it: they cost no call of their own. */
export interface Seen {
  /** Type of the field that it is; empty where it is none. */
  readonly fieldType: string;
  /** Name of the element in failures. */
  readonly name: string;
}

export interface Waiting {
  /** Name of the element in failures. */
  readonly name: string;
  /** Answer of a look that has just been made; it takes the place of the first one. */
  readonly known: Json | undefined;
  /** Monotonic time (ms). */
  readonly now: () => number;
  readonly limitMs: number;
  /** The step ends soon after the limit: a page that gives no answer until then is told, too. */
  readonly isLast: boolean;
  readonly sleep: (ms: number) => Promise<void>;
  /** Takes over a look that is not waited for any more. */
  readonly leave: (look: Promise<unknown>) => void;
  /** Called after each look that was answered, also where the element is not ready. */
  readonly looked?: ((seen: Seen) => void) | undefined;
}

/**
 * Acts on the element as soon as it passes the checks. An action that the driver refuses meanwhile is tried
 * again until the time is over; then the failure says which check did not hold, and for how long.
 */
export async function whenReady<T>(
  driver: WebDriver,
  element: WebElement,
  checks: readonly Check[],
  act: (seen: Seen) => Promise<T>,
  { name, known, now, limitMs, isLast, sleep, leave, looked }: Waiting,
): Promise<T> {
  const begin = now();
  let since = begin;
  let last = '';
  const tooLate = (): Error => {
    const reason = last === '' ? 'the page did not answer' : `${last}, for ${seconds(now() - since)} s`;
    return elementNotReady({ selector: name, reason: `${reason}; waited ${seconds(now() - begin)} s` });
  };
  const lookNow = async (): Promise<unknown> => {
    const look = driver.executeScript(`return (${readiness})(arguments[0], arguments[1])`, element, checks);
    // A page that is busy answers late: an obstacle that is known is told in time.
    const answer = last === '' && !isLast ? await look : await inTime(look, limitMs - (now() - begin));
    if (answer !== late) return answer;
    leave(look);
    throw tooLate();
  };
  for (let count = 0; ; count += 1) {
    const answer = (count === 0 ? known : undefined) ?? (await lookNow());
    const state = notReady(answer);
    const seen = { fieldType: fieldTypeIn(answer), name };
    looked?.(seen);
    let refusal: Error | undefined;
    if (!state) {
      try {
        return await act(seen);
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
    if (left <= 0) throw tooLate();
    await sleep(Math.min(pauseMs, left));
  }
}

const late = Symbol('late');

/** The outcome of a look, or `late` where there is none in time. */
async function inTime<T>(look: Promise<T>, ms: number): Promise<T | typeof late> {
  const ended = look.then(
    (answer) => () => answer,
    (error: unknown) => () => {
      throw error;
    },
  );
  const outcome = await within(ended, Math.max(ms, shortestLookMs));
  return outcome ? outcome() : late;
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
