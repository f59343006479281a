import type { Page } from 'playwright-core';

import type { Settings } from '#runtime/kernel/ports.ts';
import { browserNotAnswering } from '#schemas/generated/failures.ts';
import { BROWSER_CALL_MS } from '#schemas/generated/settings.ts';

import { abortable } from '../shared/abortable.ts';
import { waitWithin } from '../shared/wait-within.ts';
import { failureAt } from './element-failures.ts';
import { failureOf } from './failure-of.ts';
import type { Launched } from './launch.ts';
import type { Place } from './place.ts';
import { plain } from './plain.ts';
import type { Scope, Subject } from './port.ts';

/** The library's own limit, in milliseconds. */
const defaultMs = 30_000;
/** Time (ms) for an answer beside what a call itself may wait. */
const allowanceMs = 30_000;
/** Time (ms) by which a configured limit for an answer is at least above what the call itself may wait. */
const leastAllowanceMs = 1000;
/** Time (ms) for the words of a failure: a machine that is busy answers late, and they are what is needed most. */
const wordsMs = 3000;
/** Time (ms) before the end of a step in which the words of the failure are made. */
const lastMs = 30;

/** The door through which every call of a session goes: bounded, ended by the signal, its errors made failures. */
export class Door {
  timeouts = { action: defaultMs, navigation: defaultMs };
  readonly #launched: Launched;
  readonly #place: Place;
  readonly #settings: Settings;
  readonly #now: () => number;

  /** `now`: monotonic time (ms). */
  constructor(
    launched: Launched,
    place: Place,
    { settings, now }: { readonly settings: Settings; readonly now: () => number },
  ) {
    this.#launched = launched;
    this.#place = place;
    this.#settings = settings;
    this.#now = now;
  }

  async run<T>(scope: Scope, work: (page: Page) => Promise<T>, about: Subject = {}): Promise<T> {
    scope.signal.throwIfAborted();
    this.#keepTo(scope);
    try {
      return await this.bounded(work(this.#place.page), scope, about.timeout);
    } catch (error) {
      scope.signal.throwIfAborted();
      throw await failureAt(this.#place, plain(error), about, this.wordsMs(scope));
    }
  }

  /** A call that needs no open page. */
  async outside<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    scope.signal.throwIfAborted();
    try {
      return await this.bounded(work(), scope);
    } catch (error) {
      scope.signal.throwIfAborted();
      throw failureOf(plain(error), {});
    }
  }

  /**
   * Longest time (ms) that one call may go without an answer: the configured one, but never less than what it waits
   * itself.
   */
  #limitMs(timeout: number): number {
    const given = this.#settings.limits?.browser_call_ms;
    if (given !== undefined) return Math.max(given, timeout + leastAllowanceMs);
    return Math.max(BROWSER_CALL_MS, Math.max(timeout, this.timeouts.action, this.timeouts.navigation) + allowanceMs);
  }

  /** A renderer that hangs answers nothing, and the library waits for ever: then the browser is ended. */
  async bounded<T>(call: Promise<T>, { signal }: Scope, timeout = 0): Promise<T> {
    const ms = this.#limitMs(timeout);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(browserNotAnswering({ seconds: ms / 1000 })), ms);
    try {
      return await abortable(call, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) this.#launched.process?.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sets the limits (ms) of all pages of the context, those made later included. */
  setTimeouts({ action, navigation }: { readonly action?: number; readonly navigation?: number }): void {
    const { context } = this.#launched;
    if (action !== undefined) context.setDefaultTimeout(action);
    if (navigation !== undefined) context.setDefaultNavigationTimeout(navigation);
    this.timeouts = { action: action ?? this.timeouts.action, navigation: navigation ?? this.timeouts.navigation };
  }

  /** Time (ms) that an action of this step may wait for its element; 0: without end. */
  actionMs(scope: Scope): number {
    const { action } = this.timeouts;
    return this.within(scope, action || Infinity) ?? action;
  }

  /** Time (ms) until the step's own time limit ends it. */
  #left({ step }: Scope): number {
    return step?.deadline === undefined ? Infinity : step.deadline - this.#now();
  }

  /** Time (ms) of the step for the words of a failure. */
  wordsMs(scope: Scope): number {
    return Math.max(Math.min(wordsMs, this.#left(scope) - lastMs), 1);
  }

  /** Waits for an element end before the time of the step does: then it can be told what they waited for. */
  #keepTo(scope: Scope): void {
    this.#launched.context.setDefaultTimeout(this.actionMs(scope));
  }

  /** Time (ms) in which a wait of this long ends before the step does; undefined: in its own. */
  within(scope: Scope, ms: number): number | undefined {
    const left = this.#left(scope);
    if (left === Infinity) return undefined;
    const most = Math.max(Math.round(waitWithin(left)), 1);
    return ms > most ? most : undefined;
  }
}
