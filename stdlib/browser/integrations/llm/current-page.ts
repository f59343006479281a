import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { Failure } from '#schemas/types/failure.ts';

import { locatorOf, type Suggestion } from './locator-in.ts';

/** Page of a browser, in its current frame. */
export interface OpenPage {
  markup(): Promise<string>;
  /** Number of elements that a locator finds; none where the browser cannot read it. */
  count(suggestion: Suggestion): Promise<number>;
}

/** Current page of the first engine where it has a session, else of the second; fails where none is open. */
export function currentPage(ctx: Base & Pick<Ports, 'webdriver' | 'playwright' | 'testObjects'>): OpenPage {
  if (ctx.webdriver.sessions.length === 0 && ctx.playwright.isOpen) {
    const { session } = ctx.playwright;
    return {
      markup: () => session.run(ctx, () => session.root.content()),
      count: (suggestion) => readable(session.count(ctx, ctx.testObjects.selector(locatorOf(suggestion)))),
    };
  }
  const session = ctx.webdriver.current;
  return {
    markup: () => session.run(ctx, (driver) => driver.getPageSource()),
    count: (suggestion) => readable(session.matches(ctx, locatorOf(suggestion)).then((found) => found.length)),
  };
}

async function readable(count: Promise<number>): Promise<number> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof Failure && error.facts.name === 'selector-unusable') return 0;
    throw error;
  }
}
