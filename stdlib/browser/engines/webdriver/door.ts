import { Command } from 'selenium-webdriver/lib/command.js';
import type { WebDriver } from 'selenium-webdriver';

import type { PortContext, Settings } from '#runtime/kernel/ports.ts';
import { browserNotAnswering } from '#schemas/generated/failures.ts';
import { BROWSER_ACTION_MS } from '#schemas/generated/settings.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { WayOut } from '../browsers/only-way-out.ts';
import { abortable, within } from '../shared/abortable.ts';
import { waitWithin } from '../shared/wait-within.ts';
import type { Bidi } from './bidi.ts';
import { withHandles } from './current-element.ts';
import type { DriverProcess } from './driver-process.ts';
import { DriverTimeouts } from './driver-timeouts.ts';
import { failureOf } from './failure-of.ts';
import type { Scope, Subject, Timeouts, Values } from './port.ts';

/** Time (ms) that a command waits for one that was given up before and still holds the browser. */
const patienceMs = 30_000;
/** Time (ms) that a command may take beside the session's own limits. */
const allowanceMs = 60_000;
/** Time (ms) of a step in which its failure is put together. */
const lastMs = 50;

/** Everything that a session is made of. */
export interface SessionParts {
  readonly driver: WebDriver;
  readonly id: string;
  readonly capabilities: JsonObject;
  readonly settings: Settings;
  /** Hides the secrets of the run. */
  readonly masked: PortContext['masked'];
  /** The host's monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Absent for a session on a hub. */
  readonly process?: DriverProcess;
  /** Its only way out, where the run has denied private places. */
  readonly proxy?: WayOut;
  /** Present where the session was asked for it. */
  readonly bidi?: Bidi;
  /** False where the driver keeps more of consoles than it was asked for by the user. */
  readonly hasWholeLog?: boolean;
  readonly close: () => void;
}

/** The door through which every call of a session goes: bounded, ended by the signal, its errors made failures. */
export class Door {
  readonly now: SessionParts['now'];
  readonly sleep: SessionParts['sleep'];
  readonly #parts: SessionParts;
  readonly #limits: DriverTimeouts;
  #calls = 0;
  /** A call that its step did not wait for. */
  #abandoned: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.now = parts.now;
    this.sleep = parts.sleep;
    this.#limits = new DriverTimeouts(parts.capabilities, parts.now);
  }

  /** Limits as the user set them. The driver is told with the next call. */
  get timeouts(): Timeouts {
    return this.#limits.user;
  }

  set timeouts(timeouts: Timeouts) {
    this.#limits.user = timeouts;
  }

  /** Number of calls that were begun. */
  get calls(): number {
    return this.#calls;
  }

  /** A call that was given up still holds the browser. */
  get isTaken(): boolean {
    return this.#abandoned !== undefined;
  }

  /** The longest that one command may go without an answer. */
  get limitMs(): number {
    const { implicit, pageLoad, script } = this.timeouts;
    const own = Math.max(implicit, pageLoad, script) * 1000 + allowanceMs;
    return this.#parts.settings.limits?.browser_call_ms ?? own;
  }

  async run<T>(scope: Scope, work: (driver: WebDriver) => Promise<T>, about: Subject = {}): Promise<T> {
    const { driver, settings } = this.#parts;
    scope.signal.throwIfAborted();
    this.#calls += 1;
    if (this.isTaken && !(await abortable(this.isFreeWithin(patienceMs), scope.signal)))
      throw browserNotAnswering({ seconds: patienceMs / 1000 });
    const slow = settings.browser?.slow_mo_ms ?? 0;
    if (slow > 0) await abortable(new Promise<void>((resolve) => setTimeout(resolve, slow)), scope.signal);
    const call = this.#limits.keepTo(scope, driver).then(() => work(driver));
    try {
      return await abortable(call, scope.signal);
    } catch (error) {
      if (!scope.signal.aborted) throw this.#failure(error, about);
      this.abandon(call);
      throw scope.signal.reason;
    }
  }

  /** A command by the library's name, past its own reading of answers, which would make objects of elements. */
  async command(scope: Scope, name: string, params: Values, subject: string = name): Promise<unknown> {
    const command = new Command(name);
    command.setParameters({ ...params, sessionId: this.#parts.id });
    return withHandles(
      await this.run<unknown>(scope, (driver) => driver.getExecutor().execute(command), { command: subject }),
    );
  }

  /** Whether no call that was given up holds the browser any more when this time is over. */
  async isFreeWithin(ms: number): Promise<boolean> {
    if (!this.#abandoned) return true;
    const free = this.#abandoned.then(() => true);
    return (await within(free, ms)) === true;
  }

  /** Later calls wait for the end of this one, which nobody else waits for. */
  abandon(call: Promise<unknown>): void {
    const ended = call
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.#abandoned === ended) this.#abandoned = undefined;
      });
    this.#abandoned = ended;
  }

  /**
   * Time (ms) for an element to become ready; a step with a limit of its own keeps a little of it, so that the failure
   * says why.
   */
  actionMs(scope: Scope): number {
    return Math.min(this.#parts.settings.limits?.browser_action_ms ?? BROWSER_ACTION_MS, this.leftMs(scope));
  }

  /** Time (ms) of the step that a wait may take, so that its end can still be told. */
  leftMs({ step }: Scope): number {
    return waitWithin(step?.deadline === undefined ? Infinity : step.deadline - this.now());
  }

  /** Details that only add to a failure are left out where the step would end before. */
  async inTime<T>({ step }: Scope, details: Promise<T>, otherwise: T): Promise<T> {
    if (step?.deadline === undefined) return details;
    return (await within(details, Math.max(step.deadline - this.now() - lastMs, 1))) ?? otherwise;
  }

  /** Title and address of the page. */
  place(scope: Scope): Promise<readonly [title: string, url: string]> {
    return this.run(scope, async (driver) => [await driver.getTitle(), await driver.getCurrentUrl()]);
  }

  #failure(error: unknown, about: Subject): unknown {
    const { process } = this.#parts;
    // Nothing will answer any more: neither what is under way nor a request to quit.
    if (error instanceof Failure && error.facts.code === 'SVC81007') process?.kill();
    return failureOf(error, {
      ...about,
      pageLoadS: this.timeouts.pageLoad,
      scriptS: this.timeouts.script,
      ended: process?.ended,
    });
  }
}
