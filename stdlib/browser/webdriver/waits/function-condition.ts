import type { WebDriver } from '../../engines/webdriver/port.ts';
import type { Asking, WaitContext } from './asking.ts';

/** Errors of a function that mean that an element is not there yet. */
const notYet: ReadonlySet<string> = new Set(['NoSuchElementError', 'StaleElementReferenceError']);

/** A function of the user's own, which gets the session as the library's driver. */
export function functionCondition(call: (driver: WebDriver) => unknown, text: string, ctx: WaitContext): Asking {
  return {
    text,
    pauseMs: 500,
    async ask(session) {
      const value = await session.run(ctx, async (driver) => {
        try {
          return await call(driver);
        } catch (error) {
          if (error instanceof Error && notYet.has(error.name)) return false;
          throw error;
        }
      });
      return { holds: Boolean(value), value, actual: JSON.stringify(value) ?? null };
    },
  };
}
