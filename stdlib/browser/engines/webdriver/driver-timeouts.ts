import type { WebDriver } from 'selenium-webdriver';

import type { JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { waitWithin } from '../shared/wait-within.ts';
import type { Scope, Timeouts } from './port.ts';

/** Limits of a new session by the protocol. */
const ofProtocol: Timeouts = { implicit: 0, pageLoad: 300, script: 30 };

/**
 * The limits of a session as the user set them, and as its driver has them: while a step with a time limit is at work
 * the driver gives up with it. A page that never finishes loading would hold the browser for as long as the session's
 * own limit says, whoever has stopped waiting for it.
 */
export class DriverTimeouts {
  user: Timeouts;
  readonly #now: () => number;
  #driver: Timeouts;

  constructor(capabilities: JsonObject, now: () => number) {
    this.user = granted(capabilities);
    this.#driver = this.user;
    this.#now = now;
  }

  /** Tells the driver what holds for this step, where that is not what it has. */
  async keepTo({ step }: Scope, driver: WebDriver): Promise<void> {
    const ms = step?.deadline === undefined ? Infinity : step.deadline - this.#now();
    const left = halfSeconds(ms);
    const { implicit, pageLoad, script } = this.user;
    const wanted: Timeouts = {
      implicit: Math.min(implicit, Math.floor(waitWithin(ms) / 100) / 10),
      pageLoad: Math.min(pageLoad, left),
      script: Math.min(script, left),
    };
    const before = this.#driver;
    const changed = (['implicit', 'pageLoad', 'script'] as const).filter((name) => wanted[name] !== before[name]);
    if (changed.length === 0) return;
    await driver
      .manage()
      .setTimeouts(Object.fromEntries(changed.map((name) => [name, Math.round(wanted[name] * 1000)])));
    this.#driver = wanted;
  }
}

/** Rounded up, so that steps with equal limits need no new setting each time. */
function halfSeconds(ms: number): number {
  return Math.max(Math.ceil(ms / 500), 1) / 2;
}

/** Capabilities may set them, in milliseconds; a script limit of null is none. */
function granted({ timeouts }: JsonObject): Timeouts {
  if (!isObject(timeouts)) return ofProtocol;
  const seconds = (name: keyof Timeouts): number =>
    typeof timeouts[name] === 'number' ? timeouts[name] / 1000 : ofProtocol[name];
  return { implicit: seconds('implicit'), pageLoad: seconds('pageLoad'), script: seconds('script') };
}
