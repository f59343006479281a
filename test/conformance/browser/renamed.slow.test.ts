import type { Page } from 'playwright-core';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { nearest } from '#stdlib/browser/engines/page/nearest.ts';

import type { Session } from '../../commands/call.ts';
import { describeInChromium } from '../../fixtures/chromium.ts';
import { openPage } from '../../fixtures/playwright-page.ts';

/** Fields of a form by the words of their names. */
const fields = [
  'user name',
  'e mail',
  'phone number',
  'street address',
  'postal code',
  'city',
  'birth date',
  'card number',
  'promo code',
  'note text',
] as const;

/** Styles in which names are written. */
const styles: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('-'),
  (words) => words.join('_'),
  (words) =>
    words.map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)).join(''),
];

/** Changes of an element's name between two versions of a page. */
const changes: readonly ((words: readonly string[]) => readonly string[])[] = [
  (words) => [...words, 'input'],
  (words) => ['checkout', ...words],
  (words) => [...words, '2'],
  (words) => words.map((word) => (word.length > 4 ? word.slice(0, -1) : word)),
  (words) => words.toReversed(),
  (words) => ['form', ...words, 'field'],
];

/** Attributes that hold the name. */
const places: readonly ((name: string) => string)[] = [
  (name) => `id="${name}"`,
  (name) => `name="${name}"`,
  (name) => `data-testid="${name}"`,
  (name) => `aria-label="${name}"`,
];

interface Renamed {
  readonly html: string;
  readonly wanted: string;
}

/** 200 pages, each with one field renamed in a way of its own; `twice`: it is there two times. */
function renamedPages(twice: boolean): readonly Renamed[] {
  return Array.from({ length: 200 }, (_, index) => {
    const target = index % fields.length;
    const style = styles[index % styles.length] as (typeof styles)[number];
    const place = places[Math.floor(index / 7) % places.length] as (typeof places)[number];
    const change = changes[Math.floor(index / 3) % changes.length] as (typeof changes)[number];
    const other = styles[(index + Math.floor(index / 11)) % styles.length] as (typeof styles)[number];
    const rows = fields.map((field, at) => {
      const words = field.split(' ');
      if (at !== target) return `<p><label>${field}</label><input id="${style(words)}"></p>`;
      const inside = `<input data-target ${place(other(change(words)))}>`;
      const one = `<section><div>${index % 2 === 0 ? `<label>${field} ${inside}</label>` : inside}</div></section>`;
      return twice ? one + one : one;
    });
    return {
      html: `<form>${rows.join('')}<button>Send</button></form>`,
      wanted: `#${style((fields[target] as string).split(' '))}`,
    };
  });
}

/** Holds the selector that a failure offers to what was meant by one that finds nothing any more. */
describeInChromium('elements that were renamed', () => {
  let unit: Session;
  let page: Page;
  beforeAll(async () => {
    ({ unit, page } = await openPage());
  });
  afterAll(() => unit.end());

  const outcomes = (pages: readonly Renamed[]): Promise<readonly string[]> =>
    page.evaluate<readonly string[]>(`(${JSON.stringify(pages)}).map(({ html, wanted }) => {
      document.body.innerHTML = html;
      const { patch } = (${nearest})(wanted);
      if (patch === null) return 'none';
      const found = document.querySelectorAll(patch);
      return found.length === 1 && found[0].hasAttribute('data-target') ? 'right' : 'wrong ' + wanted + ' ' + patch;
    })`);

  test('get the right selector offered in at least 90 of 100 pages, and hardly ever a wrong one', async () => {
    const found = await outcomes(renamedPages(false));
    expect(found).toHaveLength(200);
    expect(found.filter((each) => each === 'right').length).toBeGreaterThanOrEqual(180);
    expect(found.filter((each) => each.startsWith('wrong')).length).toBeLessThanOrEqual(4);
  });

  test('get none offered where two are alike', async () => {
    expect(new Set(await outcomes(renamedPages(true)))).toEqual(new Set(['none']));
  });

  test('are told by the failure, with what to write', async () => {
    await page.setContent('<input id="user-name-field"><input id="mail">');
    const ended = await unit.step('WR_pw_find_element_with_test_object_record', { element_name: 'nobody' });
    expect(ended.failure?.facts.code).toBe('SVC81030');
    await unit.call('WR_save_test_object', {
      test_object_name: 'user',
      object_type: 'css_selector',
      locator: '#user-name',
    });
    const missing = await unit.step('WR_pw_find_element_with_test_object_record', { element_name: 'user' });
    expect(missing.failure?.facts.help).toContain('write `#user-name-field` in its place');
  });
});
