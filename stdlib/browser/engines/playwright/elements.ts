import { elementIndexOutOfRange, noCurrentElement } from '#schemas/generated/failures.ts';

import { soughtBy, type Sought } from '../shared/sought.ts';
import { inLibraryForm } from '../test-objects/wire-forms.ts';
import type { Door } from './door.ts';
import { notFound } from './element-failures.ts';
import { PlaywrightElement } from './element-ref.ts';
import { quoted } from './failure-of.ts';
import type { Found, Place } from './place.ts';
import type { ElementRef, ElementState, Scope, Target } from './port.ts';

/** Words for a state that an element did not reach. */
const missed: Readonly<Record<ElementState, string>> = {
  attached: 'did not come',
  detached: 'did not go',
  visible: 'did not become visible',
  hidden: 'did not become hidden',
};

/** Elements of a session's page: finds them, waits for them, and works on them. */
export class Elements {
  readonly #door: Door;
  readonly #place: Place;

  constructor(door: Door, place: Place) {
    this.#door = door;
    this.#place = place;
  }

  async find(scope: Scope, selector: string): Promise<ElementRef | null> {
    this.#choose(undefined);
    const hit = await this.#door.run(scope, () => this.#place.root.$(inLibraryForm(selector)), { selector });
    if (!hit) return null;
    const ref = new PlaywrightElement(hit);
    this.#choose({ ref, selector });
    return ref;
  }

  async mustFind(scope: Scope, sought: Sought<string>): Promise<ElementRef> {
    this.#choose(undefined);
    const selector = await soughtBy(sought);
    const hit = await this.find(scope, selector);
    if (!hit)
      throw await notFound(this.#place, { selector, frames: this.#place.frameNames }, 0, this.#door.wordsMs(scope));
    return hit;
  }

  async findAll(scope: Scope, sought: Sought<string>): Promise<readonly ElementRef[]> {
    this.#place.hold();
    const selector = await soughtBy(sought);
    const hits = await this.#door.run(scope, () => this.#place.root.$$(inLibraryForm(selector)), { selector });
    const list = hits.map((hit) => ({ ref: new PlaywrightElement(hit), selector }));
    this.#place.hold({ current: list[0], list });
    return list.map(({ ref }) => ref);
  }

  choose(index: number): void {
    const { list } = this.#place.held;
    const chosen = list[index];
    if (!chosen) throw elementIndexOutOfRange({ index, count: list.length });
    this.#choose(chosen);
  }

  async only<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T> {
    if (selector === undefined) return this.element(scope, selector, work);
    return this.#door.run(scope, () => work(this.#place.root.locator(inLibraryForm(selector))), { selector });
  }

  async drag(scope: Scope, from: string, onto: string): Promise<void> {
    // Apart, so that a failure names the one that is not there.
    const source = this.#place.root.locator(inLibraryForm(from));
    const target = this.#place.root.locator(inLibraryForm(onto));
    await this.#door.run(scope, () => source.waitFor({ state: 'attached', signal: scope.signal }), { selector: from });
    await this.#door.run(scope, () => target.waitFor({ state: 'attached', signal: scope.signal }), { selector: onto });
    await this.#door.run(scope, () => source.dragTo(target, { signal: scope.signal }), { selector: from });
  }

  async element<T>(scope: Scope, selector: string | undefined, work: (target: Target) => Promise<T>): Promise<T> {
    if (selector !== undefined)
      return this.#door.run(scope, () => work(this.#place.root.locator(inLibraryForm(selector)).first()), { selector });
    const { current } = this.#place.held;
    if (!current) throw noCurrentElement();
    return this.#door.run(scope, () => work(current.ref.element), { selector: current.selector });
  }

  async waitFor(
    scope: Scope,
    selector: string,
    state: ElementState,
    timeout: number | undefined,
  ): Promise<ElementRef | null> {
    const own = timeout === undefined ? undefined : (this.#door.within(scope, timeout || Infinity) ?? timeout);
    const limit = own === undefined ? {} : { timeout: own };
    const about = {
      selector,
      waiting: `${quoted(selector, this.#place.frameNames)} ${missed[state]}`,
      ...limit,
    };
    await this.#door.run(
      scope,
      () =>
        this.#place.root
          .locator(inLibraryForm(selector))
          .first()
          .waitFor({ state, signal: scope.signal, ...limit }),
      about,
    );
    return state === 'attached' || state === 'visible' ? this.find(scope, selector) : null;
  }

  count(scope: Scope, selector: string): Promise<number> {
    return this.#door.run(scope, () => this.#place.root.locator(inLibraryForm(selector)).count(), { selector });
  }

  #choose(current: Found | undefined): void {
    this.#place.hold({ ...this.#place.held, current });
  }
}
