import type { Frame, Page } from 'playwright-core';

import { browserWindowGone, noBrowserPage } from '#schemas/generated/failures.ts';

import type { PlaywrightElement } from './element-ref.ts';
import type { Launched } from './launch.ts';

/** An element that was found, with the selector that found it. */
export interface Found {
  readonly ref: PlaywrightElement;
  readonly selector: string;
}

/** Elements that a session holds: the current one and the current list. */
export interface Held {
  readonly current: Found | undefined;
  readonly list: readonly Found[];
}

const nothing: Held = { current: undefined, list: [] };

/** Page, frame and elements with which a session works. */
export class Place {
  readonly #launched: Launched;
  #shown: Page;
  /** Absent at the top of the page. */
  #frame: Frame | undefined;
  #frameNames: readonly string[] = [];
  #held = nothing;

  constructor(launched: Launched, page: Page) {
    this.#launched = launched;
    this.#shown = page;
  }

  /** The current page, even where it is closed. */
  get shown(): Page {
    return this.#shown;
  }

  /** Fails where the current page is closed. */
  get page(): Page {
    if (this.#shown.isClosed()) throw noBrowserPage();
    return this.#shown;
  }

  get pages(): readonly Page[] {
    return this.#launched.context.pages();
  }

  /** Frame or page in which selectors and scripts look; fails where it is gone. */
  get root(): Page | Frame {
    if (this.#frame?.isDetached() && !this.page.isClosed()) throw browserWindowGone();
    return this.#frame ?? this.page;
  }

  get frame(): Frame | undefined {
    return this.#frame;
  }

  /** Selectors that led to the frame. */
  get frameNames(): readonly string[] {
    return this.#frameNames;
  }

  get held(): Held {
    return this.#held;
  }

  /** Holds these elements; without an argument none. */
  hold(held: Held = nothing): void {
    this.#held = held;
  }

  /** Goes to the top of a page; nothing is held there. */
  enter(page: Page): void {
    this.#shown = page;
    this.goInto(undefined);
    this.hold();
  }

  /** Goes into a frame of the current page, else to its top. */
  goInto(frame: Frame | undefined, names: readonly string[] = []): void {
    this.#frame = frame;
    this.#frameNames = frame ? names : [];
  }
}
