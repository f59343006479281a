import { By } from 'selenium-webdriver/lib/by.js';
import type { WebElement } from 'selenium-webdriver';

import { elementIndexOutOfRange, noCurrentElement } from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Check } from '../page/readiness.ts';
import { soughtBy, type Sought } from '../shared/sought.ts';
import { nameOf } from '../test-objects/locator.ts';
import type { Locator } from '../test-objects/locator.ts';
import { pageForm, wireForm } from '../test-objects/wire-forms.ts';
import { Current, refOf } from './current-element.ts';
import type { Door } from './door.ts';
import { notFound, several } from './element-failures.ts';
import { findAndGlance } from './find-and-glance.ts';
import type { Frames } from './frames.ts';
import type { ElementRef, Scope, Subject } from './port.ts';
import { queryPage } from './query-page.ts';
import { whenReady } from './when-ready.ts';
import type { Seen } from './when-ready.ts';

/** Time (ms) for which a look at an element that was just found stands for the look before an action. */
const glanceMs = 20;
/** Time (ms) between two looks of an implicit wait. */
const lookAgainMs = 50;

/** Elements that a session holds: the current one and the current list. */
export interface Held {
  readonly current: Current | undefined;
  readonly list: readonly Current[];
}

/** Elements of a session's page: finds them, holds some of them, and acts on the current one. */
export class Elements {
  readonly #door: Door;
  readonly #frames: Frames;
  #held: Held = { current: undefined, list: [] };

  constructor(door: Door, frames: Frames) {
    this.#door = door;
    this.#frames = frames;
  }

  get held(): Held {
    return this.#held;
  }

  /** Holds what it held at another time; without an argument nothing. */
  hold(held: Held = { current: undefined, list: [] }): void {
    this.#held = held;
  }

  /** A locator as failures name it. */
  named(locator: Locator): string {
    return `${nameOf(locator)}${this.#frames.words}`;
  }

  async find(scope: Scope, sought: Sought<Locator>): Promise<ElementRef> {
    this.#choose(undefined);
    const locator = await soughtBy(sought);
    const hit = await this.#door.run(scope, (driver) => findAndGlance(driver, locator), this.#about(locator));
    if (!hit) return this.set(await this.#first(scope, locator), locator);
    const glance = hit.ready && { ...hit.ready, at: this.#door.now(), call: this.#door.calls };
    return this.#choose(new Current(hit.element, await hit.element.getId(), locator, glance));
  }

  async #first(scope: Scope, locator: Locator): Promise<WebElement> {
    const [hit] = await this.matches(scope, locator);
    if (!hit) throw await notFound(this.#door, scope, { locator, selector: this.named(locator) });
    return hit;
  }

  matches(scope: Scope, locator: Locator): Promise<readonly WebElement[]> {
    const inPage = pageForm(locator);
    if (inPage !== undefined) return this.#lookInPage(scope, inPage, this.#about(locator));
    const { using, value } = wireForm(locator);
    return this.#door.run(scope, (driver) => driver.findElements(new By(using, value)), this.#about(locator));
  }

  async locate(scope: Scope, locator: Locator): Promise<WebElement> {
    const hits = await this.matches(scope, locator);
    const [hit] = hits;
    const selector = this.named(locator);
    if (!hit) throw await notFound(this.#door, scope, { locator, selector });
    if (hits.length > 1) throw await several(this.#door, scope, selector, hits);
    return hit;
  }

  async findAll(scope: Scope, sought: Sought<Locator>): Promise<readonly ElementRef[]> {
    const { current } = this.#held;
    // Without a hit the next step must not work on an element of before.
    this.hold();
    const locator = await soughtBy(sought);
    const hits = await this.matches(scope, locator);
    const list = await Promise.all(hits.map(async (element) => new Current(element, await element.getId(), locator)));
    this.hold({ current: hits.length > 0 ? current : undefined, list });
    return list.map((each) => refOf(each.id));
  }

  choose(index: number): void {
    const { list } = this.#held;
    const chosen = list[index];
    if (!chosen) throw elementIndexOutOfRange({ index, count: list.length });
    this.#choose(chosen);
  }

  element<T>(scope: Scope, work: (element: WebElement, current: Current) => Promise<T>): Promise<T> {
    const { current } = this.#held;
    if (!current) return Promise.reject(noCurrentElement());
    return this.#door.run(scope, () => work(current.element, current), this.#about(current.locator));
  }

  act<T>(
    scope: Scope,
    checks: readonly Check[],
    work: (element: WebElement, seen: Seen) => Promise<T>,
    looked?: (seen: Seen) => void,
  ): Promise<T> {
    return this.element(scope, (element, current) => {
      const door = this.#door;
      const waiting = {
        name: this.named(current.locator),
        known: this.#glanceAt(current),
        now: door.now,
        limitMs: door.actionMs(scope),
        isLast: scope.step?.deadline !== undefined,
        sleep: (ms: number) => door.sleep(ms, scope.signal),
        leave: (look: Promise<unknown>) => door.abandon(look),
        looked,
      };
      return whenReady(element.getDriver(), element, checks, (seen) => work(element, seen), waiting);
    });
  }

  async set(element: WebElement, locator: Locator): Promise<ElementRef> {
    return this.#choose(new Current(element, await element.getId(), locator));
  }

  async findByScript(
    scope: Scope,
    { body, args, locator }: { readonly body: string; readonly args: readonly Json[]; readonly locator: Locator },
  ): Promise<ElementRef | null> {
    this.#choose(undefined);
    const hit = await this.#door.run(
      scope,
      (driver) => driver.executeScript<WebElement | null>(body, ...args),
      this.#about(locator),
    );
    return hit ? this.set(hit, locator) : null;
  }

  #choose(current: Current): ElementRef;
  #choose(current: undefined): undefined;
  #choose(current: Current | undefined): ElementRef | undefined {
    this.hold({ ...this.#held, current });
    return current && refOf(current.id);
  }

  #about(locator: Locator): Subject {
    return { selector: this.named(locator) };
  }

  /**
   * Look by which the element was found, where it was found just now: nothing has been done in the browser since, and
   * the page had no more time to change than between a look and its action.
   */
  #glanceAt({ glance }: Current): { readonly fieldType: string } | undefined {
    if (glance?.call !== this.#door.calls - 1 || this.#door.now() - glance.at > glanceMs) return undefined;
    return { fieldType: glance.fieldType };
  }

  /** Looks as the driver does: an implicit wait is waited for the first match. */
  async #lookInPage(scope: Scope, selector: string, about: Subject): Promise<readonly WebElement[]> {
    const { now, sleep, timeouts } = this.#door;
    for (const end = now() + Math.min(timeouts.implicit * 1000, this.#door.leftMs(scope)); ;) {
      const found = await this.#door.run(scope, (driver) => queryPage(driver, selector), about);
      const left = end - now();
      if (found.length > 0 || left <= 0) return found;
      await sleep(Math.min(left, lookAgainMs), scope.signal);
    }
  }
}
