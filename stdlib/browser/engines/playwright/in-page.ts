import type { ElementHandle, Frame, Page } from 'playwright-core';

/** Answer of a function of elements, a text; the elements are let go. */
export async function askOf(root: Page | Frame, body: string, elements: readonly ElementHandle[]): Promise<unknown> {
  const script = await root.evaluateHandle<(given: readonly unknown[]) => unknown>(`(${body})`);
  try {
    return await script.evaluate((run, given) => run(given), elements);
  } finally {
    await Promise.all([script, ...elements].map((handle) => handle.dispose()));
  }
}

/** A text that is a function is called; the library would only evaluate it. */
export async function evaluateIn(page: Page | Frame, expression: string, arg: unknown): Promise<unknown> {
  const value = await page.evaluateHandle(expression);
  try {
    const result: unknown = await value.evaluate(
      (found: unknown, given: unknown) =>
        typeof found === 'function' ? (found as (given: unknown) => unknown)(given) : found,
      arg,
    );
    return result ?? null;
  } finally {
    await value.dispose();
  }
}
