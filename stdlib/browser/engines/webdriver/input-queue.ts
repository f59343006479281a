import type { Actions, WebDriver } from 'selenium-webdriver';
import { Origin } from 'selenium-webdriver/lib/input.js';

/** A method that the type package of the library lacks. */
interface WithWheel {
  scroll(x: number, y: number, deltaX: number, deltaY: number, origin: Origin, duration: number): Actions;
}

/** A turn of the wheel at the left upper corner of the view, in pixels. */
export function scrollBy(actions: Actions, x: number, y: number): void {
  (actions as unknown as WithWheel).scroll(0, 0, x, y, Origin.VIEWPORT, 0);
}

/** A move from where the pointer is, in pixels. */
export function moveBy(actions: Actions, x: number, y: number): void {
  actions.move({ x, y, origin: Origin.POINTER });
}

/**
 * Input of a session that waits to be performed. Keys and buttons that were left down stay down between performances.
 */
export class InputQueue {
  #actions: Actions | undefined;

  add(driver: WebDriver, work: (actions: Actions) => void): void {
    this.#actions ??= driver.actions();
    work(this.#actions);
  }

  /** Empties the queue when all of it was performed. */
  async perform(): Promise<void> {
    await this.#actions?.perform();
    // The library would perform everything again; its own way to empty the queue also releases what is down.
    this.#actions = undefined;
  }

  /** Drops what waits. */
  drop(): void {
    this.#actions = undefined;
  }

  /** Drops what waits, and releases what is down in the browser. */
  async reset(driver: WebDriver): Promise<void> {
    this.#actions = undefined;
    await driver.actions().clear();
  }
}
