import type { WebDriver, WebElement } from 'selenium-webdriver';

import { inFrames } from '../shared/in-frames.ts';

interface Entered {
  readonly element: WebElement;
  readonly name: string;
}

/** Frames in which a session works: the driver does not tell, so they are kept here. */
export class Frames {
  /** Frames from the outermost inwards; empty at the top of the page. */
  #chain: readonly Entered[] = [];

  /** Names of the locators by which the frames were found. */
  get names(): readonly string[] {
    return this.#chain.map(({ name }) => name);
  }

  /** The same as failures name them: ` in the frame css "#outer"`; empty at the top of a page. */
  get words(): string {
    return inFrames(this.names);
  }

  /** The session is at the top of a page again. */
  forget(): void {
    this.#chain = [];
  }

  async leave(driver: WebDriver): Promise<void> {
    this.#chain = [];
    await driver.switchTo().defaultContent();
  }

  async leaveOne(driver: WebDriver): Promise<void> {
    await driver.switchTo().parentFrame();
    this.#chain = this.#chain.slice(0, -1);
  }

  async enter(driver: WebDriver, frame: WebElement, name: string): Promise<void> {
    await driver.switchTo().frame(frame);
    this.#chain = [...this.#chain, { element: frame, name }];
  }

  /** Runs `work`; where it fails, the session goes back to the frame where it was, else to the top. */
  async orBack(driver: WebDriver, work: () => Promise<void>): Promise<void> {
    const before = this.#chain;
    try {
      await work();
    } catch (error) {
      await this.#go(driver, before).catch(() => this.leave(driver));
      throw error;
    }
  }

  /** Runs `work` here and in every frame inside, and ends here. */
  async each(driver: WebDriver, work: () => Promise<unknown>): Promise<void> {
    await work();
    const inside = await driver.executeScript<WebElement[]>(
      'return Array.from(document.querySelectorAll("iframe, frame"))',
    );
    for (const frame of inside) {
      await this.enter(driver, frame, 'frame');
      try {
        await this.each(driver, work);
      } finally {
        await this.leaveOne(driver);
      }
    }
  }

  /** Runs `work` at the top of the page and in every frame, and ends where the session was. */
  async everywhere(driver: WebDriver, work: () => Promise<unknown>): Promise<void> {
    const before = this.#chain;
    if (before.length > 0) await this.leave(driver);
    try {
      await this.each(driver, work);
    } finally {
      if (before.length > 0) await this.#go(driver, before).catch(() => this.leave(driver));
    }
  }

  async #go(driver: WebDriver, chain: readonly Entered[]): Promise<void> {
    await this.leave(driver);
    for (const { element, name } of chain) await this.enter(driver, element, name);
  }
}
