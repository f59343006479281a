import type { Locator, Page } from 'playwright-core';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { pageLocators } from '#schemas/generated/page-locators.ts';
import { selectorForm } from '#stdlib/browser/engines/test-objects/wire-forms.ts';

import type { Session } from '../../commands/call.ts';
import { describeInChromium } from '../../fixtures/chromium.ts';
import { openPage } from '../../fixtures/playwright-page.ts';
import { domSamples, type Asked } from './dom-samples.ts';

/** Numbers of elements in their page. */
type Places = readonly (string | null)[];

/**
 * Playwright's own locators are the oracle: the script of the first engine and the selectors of the second must find
 * the same.
 */
describeInChromium('locators beyond CSS', () => {
  let unit: Session;
  let page: Page;
  beforeAll(async () => {
    ({ unit, page } = await openPage());
    await page.evaluate(pageLocators);
  });
  afterAll(() => unit.end());

  const count = process.env['SVC_TEST_FULL'] ? 300 : 120;
  test(`mean on ${count} pages what Playwright means`, { timeout: 120_000 }, async () => {
    const differing: string[] = [];
    let found = 0;
    const samples = domSamples(count, 13);
    for (const { name, html, asked } of samples) {
      await page.evaluate(`((html) => {${showing}})(${JSON.stringify(html)})`);
      const selectors = asked.map((each) => selectorOf(each));
      const inPage = await page.evaluate<Places[]>(`((selectors) => ${finding})(${JSON.stringify(selectors)})`);
      const own = await Promise.all(asked.map((each) => placesOf(ownLocator(page, each))));
      const second = await Promise.all(selectors.slice(0, 2).map((each) => placesOf(page.locator(each))));
      for (const [index, each] of asked.entries()) {
        found += own[index]?.length ?? 0;
        const [theirs, ours, others] = [own[index], inPage[index], second[index]].map((list) => JSON.stringify(list));
        if (theirs !== ours || (others !== undefined && others !== theirs))
          differing.push(`${name}: ${JSON.stringify(each)}: ${theirs} ${ours} ${others ?? ''}`);
      }
    }
    expect(samples).toHaveLength(count);
    expect(differing).toEqual([]);
    expect(found).toBeGreaterThan(count * 2.5);
  });
});

/** Puts a page together; a template below an element with `data-shadow` becomes its open shadow tree. */
const showing = `
  const attach = (root) => {
    for (const host of root.querySelectorAll('[data-shadow]')) {
      const template = host.querySelector(':scope > template');
      if (!template || host.shadowRoot) continue;
      const shadow = host.attachShadow({ mode: 'open' });
      shadow.append(template.content.cloneNode(true));
      template.remove();
      attach(shadow);
    }
  };
  document.body.innerHTML = html;
  attach(document);
  const all = (root) => [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
  for (const [index, element] of all(document.body).entries()) element.setAttribute('n', String(index));`;

const finding = `selectors.map((each) => window[Symbol.for('svc.locators')].all(each).map((element) => element.getAttribute('n')))`;

function placesOf(locator: Locator): Promise<Places> {
  return locator.evaluateAll((elements) => elements.map((element) => element.getAttribute('n')));
}

/** As commands of ours say it. */
function selectorOf(asked: Asked): string {
  switch (asked.kind) {
    case 'role': {
      const { role, name, exact } = asked;
      const value =
        name === undefined ? role : `${role}[name${exact ? '=' : '*='}${JSON.stringify(name)}${exact ? '' : ' i'}]`;
      return selectorForm({ strategy: 'role', value });
    }
    case 'label':
    case 'placeholder':
    case 'text':
      return selectorForm({ strategy: asked.kind, value: asked.exact ? JSON.stringify(asked.text) : asked.text });
    case 'test_id':
      return selectorForm({ strategy: 'test_id', value: asked.text });
    case 'css':
      return selectorForm({ strategy: 'deep_css', value: asked.text });
  }
}

/** As Playwright says it. */
function ownLocator(page: Page, asked: Asked): Locator {
  switch (asked.kind) {
    case 'role':
      return page.getByRole(asked.role as 'button', {
        ...(asked.name === undefined ? {} : { name: asked.name }),
        exact: asked.exact === true,
      });
    case 'label':
      return page.getByLabel(asked.text, { exact: asked.exact === true });
    case 'placeholder':
      return page.getByPlaceholder(asked.text, { exact: asked.exact === true });
    case 'text':
      return page.getByText(asked.text, { exact: asked.exact === true });
    case 'test_id':
      return page.getByTestId(asked.text);
    case 'css':
      return page.locator(asked.text);
  }
}
