import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

describeInChromium('elements and waits over WebDriver', () => {
  let pages: Pages;
  let unit: Session;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-elements-'));
    pages = await servePages();
    unit = await session({ settings: chromium.pages, root: folder });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
  });
  beforeEach(() => unit.call('WR_to_url', { url: `${pages.url}/` }));
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  async function find(type: string, locator: string): Promise<void> {
    await unit.call('WR_save_test_object', { test_object_name: 'it', object_type: type, locator });
    await unit.call('WR_find_recorded_element', { element_name: 'it' });
  }

  test.for([
    ['ID', '1a.b', 'Odd id'],
    ['name', 'a"b', ''],
    ['CLASS_NAME', 'odd', 'Odd id'],
    ['tag_name', 'h1', 'Corner shop'],
    ['LINK_TEXT', 'Terms of sale', 'Terms of sale'],
    ['partial_link_text', 'of sale', 'Terms of sale'],
    ['xpath', '//li[2]', 'Bread'],
    ['css_selector', '#goods > li:last-child', 'Salt'],
  ] as const)('%s "%s" finds the element', async ([type, locator, text]) => {
    await find(type, locator);
    await unit.call('WR_element_assert', { check_dict: { text } });
  });

  test('a name alone is the locator, too', async () => {
    await unit.call('WR_save_test_object', { test_object_name: 'mail', object_type: 'NAME' });
    await unit.call('WR_find_recorded_element', { element_name: 'mail' });
    expect(await unit.call('WR_element_get_dom_attribute', { name: 'id' })).toBe('mail');
  });

  test('fields for dates, times and ranges take a value as HTML writes it, and tell the page', async () => {
    for (const [type, text] of [
      ['date', '2026-03-04'],
      ['time', '10:20'],
      ['datetime-local', '2026-03-04T10:20'],
      ['month', '2026-03'],
      ['week', '2026-W05'],
      ['range', '7'],
      ['color', '#1a2b3c'],
    ] as const) {
      const script = `document.body.innerHTML = '<input id="it" type="${type}">'; window.heard = [];
        for (const name of ['input', 'change']) it.addEventListener(name, () => heard.push(name + ' ' + it.value));`;
      await unit.call('WR_execute_script', { script });
      await find('id', 'it');
      await unit.call('WR_element_input', { input_value: text });
      const heard = await unit.call('WR_execute_script', { script: 'return [it.value, heard.at(-1)]' });
      expect(heard, type).toEqual([text, `change ${text}`]);
    }
    await unit.call('WR_execute_script', { script: `document.body.innerHTML = '<input id="it" type="date">'` });
    await find('id', 'it');
    expect((await failureOf(unit.call('WR_element_input', { input_value: '2026-02-30' }))).message).toBe(
      'The element id "it" cannot be used this way: a field of the type "date" does not take "2026-02-30", but text such as "2026-12-31"',
    );
  });

  test('a multiple select keeps earlier choices, and says what it holds', async () => {
    await find('id', 'extras');
    await unit.call('WR_element_select_by_value', { value: 'lid' });
    await unit.call('WR_element_select_by_visible_text', { text: ' Card ' });
    const described = await unit.call('WR_element_get_select');
    expect(described).toEqual({
      multiple: true,
      options: [
        ['lid', 'Lid', true],
        ['bag', 'Bag', false],
        ['card', 'Card', true],
      ].map(([value, text, selected], index) => ({ index, value, text, selected, disabled: false })),
    });
    const failure = await failureOf(unit.call('WR_element_select_by_value', { value: 'ribbon' }));
    expect(failure.options).toMatchObject({ expected: 'ribbon', actual: ['lid', 'bag', 'card'] });
  });

  test('all facts that differ are told at once', async () => {
    await find('id', 'name');
    const failure = await failureOf(
      unit.call('WR_element_assert', {
        check_dict: {
          tag_name: 'input',
          displayed: false,
          selected: true,
          attributes: { name: 'name', class: 'x', nothing: null },
        },
      }),
    );
    expect(failure.options).toMatchObject({
      expected: { displayed: false, selected: true, attributes: { name: 'name', class: 'x', nothing: null } },
      actual: { displayed: true, selected: false, attributes: { name: 'name', class: 'field wide', nothing: null } },
    });
    expect(failure.facts.kinds).toEqual(['assertion']);
  });

  test('several conditions must hold together, or stop holding', async () => {
    const condition = { element_present: { id: 'busy' }, title_contains: 'shop' };
    await unit.call('WR_explicit_wait', { wait_time: 3, condition, until_type: false });
    await unit.call('WR_save_test_object', { test_object_name: 'ready', object_type: 'id', locator: 'late' });
    await unit.call('WR_explicit_wait', {
      wait_time: 3,
      condition: {
        element_text: { element: 'ready', is: 'Ready' },
        address_is: `${pages.url}/`,
        window_count: 1,
        dialog_open: false,
      },
    });
    await unit.call('WR_element_assert', { check_dict: { text: 'Ready' } });
  });

  test('a wait that ends in vain tells what was there instead', async () => {
    const failure = await failureOf(
      unit.call('WR_explicit_wait', { wait_time: 0.3, condition: { title_is: 'Another shop' } }),
    );
    expect(failure.message).toBe('The wait ended after 0.3 s: title_is "Another shop" did not hold.');
    const both = { title_is: 'Corner shop', title_contains: 'Another' };
    const one = await failureOf(unit.call('WR_explicit_wait', { wait_time: 0.3, condition: both }));
    expect(one.message).toBe('The wait ended after 0.3 s: title_contains "Another" did not hold.');
    expect(failure.options).toMatchObject({ expected: 'title_is "Another shop"', actual: 'Corner shop' });
    const other = await failureOf(
      unit.call('WR_explicit_wait', {
        wait_time: 0.3,
        condition: { element_visible: { css: 'h1' } },
        until_type: false,
      }),
    );
    expect(other.message).toContain('still held');
  });

  test('an implicit wait does not hold up an explicit one, and stays what it was', async () => {
    await unit.call('WR_implicitly_wait', { time_to_wait: 2 });
    const begin = performance.now();
    await unit.call('WR_explicit_wait', { wait_time: 1, condition: { element_hidden: { id: 'nothing' } } });
    expect(performance.now() - begin).toBeLessThan(1000);
    const failure = await failureOf(find('id', 'nothing'));
    expect(performance.now() - begin).toBeGreaterThan(2000);
    expect(failure.message).toContain('waited 2 s');
    await unit.call('WR_implicitly_wait', { time_to_wait: 0 });
  });

  test('a function of the user waits; one that is not there is told', async () => {
    await writeFile(
      join(folder, 'mine.mjs'),
      'export const late = (driver) => driver.findElement({ css: "#late" }).getText();\nexport const number = 1;\n',
    );
    expect(await unit.call('WR_explicit_wait', { wait_time: 3, method: 'mine.mjs#late' })).toBe('Ready');
    for (const [method, code] of [
      ['mine.mjs#missing', 'SVC80054'],
      ['mine.mjs#number', 'SVC80055'],
      ['mine.mjs', 'SVC80057'],
      ['missing.mjs#late', 'SVC80052'],
    ]) {
      expect((await failureOf(unit.call('WR_explicit_wait', { wait_time: 1, method }))).facts.code).toBe(code);
    }
  });

  test('a dialog of the page is waited for and accepted', async () => {
    await unit.call('WR_to_url', { url: `${pages.url}/dialog` });
    await find('id', 'ask');
    await unit.call('WR_element_click');
    await unit.call('WR_explicit_wait', { wait_time: 3, condition: { dialog_open: true } });
    expect(await unit.call('WR_execute', { driver_command: 'getAlertText' })).toBe('Sure?');
    await unit.call('WR_execute', { driver_command: 'acceptAlert' });
    await unit.call('WR_element_click');
    await unit.call('WR_explicit_wait', { wait_time: 3, condition: { dialog_open: true } });
    const failure = await failureOf(unit.call('WR_element_click'));
    expect(failure.facts.code).toBe('SVC81082');
    expect(failure.message).toContain('Sure?');
  });

  test('a picture that cannot be written fails the step', async () => {
    await find('tag_name', 'h1');
    await writeFile(join(folder, 'taken'), '');
    expect(
      (await failureOf(unit.call('WR_element_screenshot', { filename: join(folder, 'taken', 'x') }))).facts.code,
    ).toMatch(/^SVC85/);
  });

  test('a cookie value is masked once it was given', async () => {
    await unit.call('WR_add_cookie', {
      cookie_dict: { name: 'sid', value: 'opensesame', httpOnly: true, sameSite: 'Strict' },
    });
    expect(unit.work.run.masker.text('sid=opensesame')).toBe('sid=***');
    expect(await unit.call('WR_get_cookie', { name: 'sid' })).toMatchObject({
      value: 'opensesame',
      httpOnly: true,
      sameSite: 'Strict',
    });
    await unit.call('WR_delete_cookie', { name: 'sid' });
    expect(await unit.call('WR_get_cookie', { name: 'sid' })).toBeNull();
  });

  test('slow motion slows every call', async () => {
    await using slow = await session({
      settings: { ...chromium.pages, browser: { ...chromium.pages.browser, slow_mo_ms: 150 } },
    });
    await slow.call('WR_new_driver', { webdriver_name: 'chromium' });
    const begin = performance.now();
    await slow.call('WR_get_window_rect');
    await slow.call('WR_get_window_rect');
    expect(performance.now() - begin).toBeGreaterThan(300);
  });
});
