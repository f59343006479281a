import type { Base, Ports } from '#runtime/kernel/ports.ts';

import type { Actions, WebElement } from '../../engines/webdriver/port.ts';

export type QueueContext = Base & Pick<Ports, 'webdriver'>;
type WithObjects = QueueContext & Pick<Ports, 'testObjects'>;

export async function queue(ctx: QueueContext, work: (actions: Actions) => unknown): Promise<void> {
  await ctx.webdriver.current.queueInput(ctx, (actions) => void work(actions));
}

/** The element of a saved test object, looked up at once; `current`: it also becomes the current element. */
export async function targetOf(ctx: WithObjects, name: string, becomes?: 'current'): Promise<WebElement> {
  const locator = ctx.testObjects.get(name);
  const session = ctx.webdriver.current;
  const element = await session.locate(ctx, locator);
  if (becomes === 'current') await session.setElement(element, locator);
  return element;
}

/** The pointer goes to the centre of a saved test object; without a name it stays where it is. */
export async function moveTo(ctx: WithObjects, name: string | null | undefined, becomes?: 'current'): Promise<void> {
  if (name == null) return;
  const element = await targetOf(ctx, name, becomes);
  await queue(ctx, (actions) => actions.move({ origin: element }));
}

/** A click on a saved test object, which becomes current; nothing without a name. */
export async function click(ctx: WithObjects, name: string | null | undefined): Promise<void> {
  if (name == null) return;
  const element = await targetOf(ctx, name, 'current');
  await queue(ctx, (actions) => actions.click(element));
}

/** A point by its distance in pixels from the centre of an element. */
export function placed(
  element: WebElement,
  x: number,
  y: number,
): { readonly origin: WebElement; readonly x: number; readonly y: number } {
  return { origin: element, x, y };
}
