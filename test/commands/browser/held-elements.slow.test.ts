import { queryObjects } from 'node:v8';

import { expect, test, vi } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages } from '../../fixtures/chromium-pages.ts';
import { session, type Session } from '../call.ts';

/** The library's class of elements that it holds in a page. */
async function classOfHeld(unit: Session): Promise<abstract new () => unknown> {
  const { session: browser } = await unit.work.port('playwright', unit.work.linked);
  const scope = { signal: new AbortController().signal };
  return browser.element(scope, undefined, (target) =>
    Promise.resolve(target.constructor as abstract new () => unknown),
  );
}

describeInChromium('elements that the second engine holds', () => {
  test('are let go when nothing speaks of them any more: a long session holds as many as a short one', async () => {
    await using pages = await servePages();
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    const round = async (): Promise<void> => {
      await unit.call('WR_pw_find_elements', { selector: 'input' });
      await unit.call('WR_pw_find_element', { selector: '#name' });
      await unit.call('WR_pw_type_text', { selector: '#name', value: 'a' });
      await unit.call('WR_pw_wait_for_selector', { selector: '#name' });
      await unit.call('WR_pw_fill', { selector: '#name', value: 'Ada' });
    };
    await round();
    const held = await classOfHeld(unit);
    const count = (): number => queryObjects(held, { format: 'count' });
    await vi.waitFor(() => expect(count()).toBeLessThan(20), { timeout: 10_000, interval: 200 });
    const before = count();
    for (let index = 0; index < 60; index += 1) await round();
    await vi.waitFor(() => expect(count()).toBeLessThanOrEqual(before), { timeout: 10_000, interval: 200 });
    // The current one is among those that are held.
    await unit.call('WR_pw_element_click');
  });
});
