import type { Frame, Page } from 'playwright-core';

import { elementNotReady, pageIndexOutOfRange } from '#schemas/generated/failures.ts';

import { inLibraryForm } from '../test-objects/wire-forms.ts';
import type { Door } from './door.ts';
import { quoted } from './failure-of.ts';
import type { Launched } from './launch.ts';
import type { Place } from './place.ts';
import type { Scope } from './port.ts';

/** Longest wait (ms) for a page that a click has just opened. */
const openingMs = 1000;

/** Pages of a session, and the frames in them: opens, closes and chooses them. */
export class Pages {
  readonly #launched: Launched;
  readonly #door: Door;
  readonly #place: Place;

  constructor(launched: Launched, door: Door, place: Place) {
    this.#launched = launched;
    this.#door = door;
    this.#place = place;
  }

  async open(scope: Scope): Promise<number> {
    const page = await this.#door.outside(scope, () => this.#launched.context.newPage());
    this.#place.enter(page);
    return this.#place.pages.indexOf(page);
  }

  async close(scope: Scope, index: number | undefined): Promise<void> {
    const { pages } = this.#place;
    const closing = index === undefined ? this.#place.page : pageAt(pages, index);
    const place = pages.indexOf(closing);
    await this.#door.outside(scope, () => closing.close());
    if (closing !== this.#place.shown) return;
    // The one that moved into its place, else the last one.
    const next = this.#place.pages[place] ?? this.#place.pages.at(-1);
    if (next) this.#place.enter(next);
    else this.#place.goInto(undefined);
  }

  async choose(scope: Scope, index: number): Promise<void> {
    const timeout = Math.min(openingMs, this.#door.timeouts.action || openingMs);
    if (index >= this.#place.pages.length)
      await this.#door.outside(scope, () =>
        this.#launched.context
          .waitForEvent('page', { timeout, predicate: () => index < this.#place.pages.length })
          .catch(() => undefined),
      );
    this.#place.enter(pageAt(this.#place.pages, index));
  }

  async enterFrames(scope: Scope, selectors: readonly string[]): Promise<void> {
    let frame: Frame | undefined;
    for (const [place, selector] of selectors.entries())
      frame = await this.#frameIn(scope, { selector, frames: selectors.slice(0, place), root: frame });
    this.#place.goInto(frame, selectors);
    this.#place.hold();
  }

  async #frameIn(
    scope: Scope,
    about: { readonly selector: string; readonly frames: readonly string[]; readonly root: Frame | undefined },
  ): Promise<Frame> {
    const { signal } = scope;
    const { selector, frames, root } = about;
    return this.#door.run(
      scope,
      async (page) => {
        const element = await (root ?? page).locator(inLibraryForm(selector)).elementHandle({ signal });
        const frame = await element.contentFrame();
        await element.dispose();
        if (!frame) throw elementNotReady({ selector: quoted(selector, frames), reason: 'it is no frame' });
        return frame;
      },
      about,
    );
  }
}

function pageAt(pages: readonly Page[], index: number): Page {
  const page = pages[index];
  if (!page) throw pageIndexOutOfRange({ index, count: pages.length });
  return page;
}
