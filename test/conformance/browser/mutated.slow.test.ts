import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { StepEnd } from '#runtime/kernel/contract.ts';
import { pageLocators } from '#schemas/generated/page-locators.ts';
import { nearest } from '#stdlib/browser/engines/page/nearest.ts';

import type { Session } from '../../commands/call.ts';
import { describeInChromium } from '../../fixtures/chromium.ts';
import { openPage } from '../../fixtures/playwright-page.ts';
import { judgeMutations, type Judged } from './mutated-page.ts';

const names = ['login', 'checkout', 'products', 'account', 'orders'] as const;
const count = 200;
const seed = Number(process.env['SEED'] ?? 2026);

/** Holds the selector that a failure offers to what was meant, on pages as people build them. */
describeInChromium('locators of pages that were changed', () => {
  let unit: Session;
  let page: Page;
  let pages: readonly string[];
  beforeAll(async () => {
    ({ unit, page } = await openPage());
    pages = await Promise.all(
      names.map((name) => readFile(new URL(`../../fixtures/real-pages/${name}.html`, import.meta.url), 'utf8')),
    );
    await page.evaluate(pageLocators);
  });
  afterAll(() => unit.end());

  const judge = (twice: boolean): Promise<readonly Judged[]> =>
    page.evaluate<readonly Judged[]>(
      `(${judgeMutations})({ ...${JSON.stringify({ pages, count, seed, twice })}, nearest: ${nearest} })`,
    );

  const share = (judged: readonly Judged[], outcome: Judged['outcome']): number =>
    judged.filter((each) => each.outcome === outcome).length / judged.length;

  test(`of ${count}, at least 90 of 100 get the right selector offered, and hardly any a wrong one`, async () => {
    const judged = await judge(false);
    if (process.env['SHOW']) console.info(judged.filter(({ outcome }) => outcome !== 'right'));
    console.info(`seed ${seed}: right ${share(judged, 'right')}, wrong ${share(judged, 'wrong')} of ${judged.length}`);
    expect(judged).toHaveLength(count);
    expect(share(judged, 'right')).toBeGreaterThanOrEqual(0.9);
    expect(share(judged, 'wrong')).toBeLessThanOrEqual(0.03);
  });

  test('neither of two that are alike is offered', async () => {
    const judged = await judge(true);
    expect(judged).toHaveLength(count);
    expect(share(judged, 'right')).toBe(0);
    expect(share(judged, 'wrong')).toBeLessThanOrEqual(0.03);
  });

  test('a failure of either engine says what to write, and that finds the element', async () => {
    const html = '<label>Postcode <input></label><button>Place order</button><a href="#">Help</a>';
    await page.setContent(html);
    const place = { said: 'Place your order', selector: 'role=button[name="Place order"]' };
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 300 });
    const missing = await unit.step('WR_pw_click', { selector: `text="${place.said}"` });
    expect(missing.failure?.facts.help).toContain(`write \`${place.selector}\` in its place`);
    await unit.call('WR_pw_click', { selector: place.selector });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_to_url', { url: `data:text/html,${encodeURIComponent(html)}` });
    const find = async (object_type: string, locator: string): Promise<StepEnd> => {
      await unit.call('WR_save_test_object', { test_object_name: 'wanted', object_type, locator });
      return unit.step('WR_find_recorded_element', { element_name: 'wanted' });
    };
    for (const [object_type, locator, offered, asType] of [
      ['TEXT', place.said, 'button[name="Place order"]', 'ROLE'],
      ['ID', 'postcode', '"Postcode"', 'LABEL'],
      ['LINK_TEXT', 'Help centre', 'link[name="Help"]', 'ROLE'],
    ] as const) {
      expect((await find(object_type, locator)).failure?.facts.help).toContain(
        `write \`${offered}\` (${asType}) in its place`,
      );
      expect((await find(asType, offered)).failure).toBeUndefined();
    }
  });
});
