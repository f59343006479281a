import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

import { isObject } from '#schemas/types/json.ts';

import type { Session } from '../commands/call.ts';
import { describeInChromium } from '../fixtures/chromium.ts';
import { conformBrowserEngine, type BrowserEngine } from './browser-engine.ts';

async function save(unit: Session, selector: string): Promise<string> {
  await unit.call('WR_save_test_object', { test_object_name: 'it', object_type: 'css_selector', locator: selector });
  return 'it';
}

const webdriver: BrowserEngine = {
  port: 'webdriver',
  start: async (unit) =>
    void (await unit.call('WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=900,700'] })),
  open: (unit, url) => unit.call('WR_to_url', { url }),
  back: (unit) => unit.call('WR_back'),
  forward: (unit) => unit.call('WR_forward'),
  refresh: (unit) => unit.call('WR_refresh'),
  title: (unit) => unit.call('WR_execute', { driver_command: 'getTitle' }),
  address: (unit) => unit.call('WR_execute', { driver_command: 'getCurrentUrl' }),
  find: async (unit, selector) => unit.call('WR_find_recorded_element', { element_name: await save(unit, selector) }),
  findAll: async (unit, selector) =>
    unit.call('WR_find_recorded_elements', { element_name: await save(unit, selector) }),
  chooseFound: (unit, index) => unit.call('WR_element_change_web_element', { element_index: index }),
  click: (unit) => unit.call('WR_element_click'),
  clear: (unit) => unit.call('WR_element_clear'),
  type: (unit, text) => unit.call('WR_element_input', { input_value: text }),
  text: async (unit) => {
    const text = await unit.call('WR_element_get_property', { name: 'innerText' });
    await unit.call('WR_element_assert', { check_dict: { text } });
    return text;
  },
  attribute: (unit, name) => unit.call('WR_element_get_dom_attribute', { name }),
  property: (unit, name) => unit.call('WR_element_get_property', { name }),
  isVisible: (unit) => unit.call('WR_element_is_displayed'),
  isEnabled: (unit) => unit.call('WR_element_is_enabled'),
  choose: (unit, text) => unit.call('WR_element_select_by_visible_text', { text }),
  waitVisible: (unit, selector, seconds) =>
    unit.call('WR_explicit_wait', { wait_time: seconds, condition: { element_visible: { css: selector } } }),
  waitHidden: (unit, selector, seconds) =>
    unit.call('WR_explicit_wait', { wait_time: seconds, condition: { element_hidden: { css: selector } } }),
  picture: (unit, path) => unit.call('WR_get_screenshot_as_base64', { path }),
  elementPicture: (unit, path) => unit.call('WR_element_screenshot', { filename: path }),
  script: (unit, expression, arg) =>
    unit.call('WR_execute_script', { script: `const arg = arguments[0]; return ${expression}`, args: [arg ?? null] }),
  cookies: async (unit) => {
    const cookies = await unit.call('WR_get_cookies');
    return Object.fromEntries(
      Array.isArray(cookies) ? cookies.filter(isObject).map(({ name, value }) => [String(name), String(value)]) : [],
    );
  },
};

const playwright: BrowserEngine = {
  port: 'playwright',
  start: async (unit) => void (await unit.call('WR_pw_launch', {})),
  open: (unit, url) => unit.call('WR_pw_to_url', { url }),
  back: (unit) => unit.call('WR_pw_back'),
  forward: (unit) => unit.call('WR_pw_forward'),
  refresh: (unit) => unit.call('WR_pw_refresh'),
  title: (unit) => unit.call('WR_pw_title'),
  address: (unit) => unit.call('WR_pw_url'),
  find: async (unit, selector) =>
    unit.call('WR_pw_find_element_with_test_object_record', { element_name: await save(unit, selector) }),
  findAll: (unit, selector) => unit.call('WR_pw_find_elements', { selector }),
  chooseFound: (unit, index) => unit.call('WR_pw_element_change', { element_index: index }),
  click: (unit) => unit.call('WR_pw_element_click'),
  clear: (unit) => unit.call('WR_pw_element_clear'),
  type: (unit, text) => unit.call('WR_pw_element_type_text', { input_value: text }),
  text: (unit) => unit.call('WR_pw_element_inner_text'),
  attribute: (unit, name) => unit.call('WR_pw_element_get_attribute', { name }),
  property: (unit, name) => unit.call('WR_pw_element_get_property', { name }),
  isVisible: (unit) => unit.call('WR_pw_element_is_visible'),
  isEnabled: (unit) => unit.call('WR_pw_element_is_enabled'),
  choose: (unit, text) => unit.call('WR_pw_element_select_option', { value: text }),
  waitVisible: (unit, selector, seconds) => unit.call('WR_pw_wait_for_selector', { selector, timeout: seconds * 1000 }),
  waitHidden: (unit, selector, seconds) =>
    unit.call('WR_pw_wait_for_selector', { selector, timeout: seconds * 1000, state: 'hidden' }),
  picture: (unit, path) => unit.call('WR_pw_screenshot_bytes', { path }),
  elementPicture: (unit, path) => unit.call('WR_pw_element_screenshot', { filename: path }),
  script: (unit, expression, arg) =>
    unit.call('WR_pw_evaluate', { expression: `(arg) => (${expression})`, arg: arg ?? null }),
  cookies: async (unit) =>
    Object.fromEntries(
      String(await unit.call('WR_pw_evaluate', { expression: 'document.cookie' }))
        .split('; ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
};

for (const [name, engine] of [
  ['webdriver', webdriver],
  ['playwright', playwright],
] as const) {
  describeInChromium(`${name} as a browser engine`, () => {
    let folder = '';
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-engine-'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    conformBrowserEngine(engine, () => folder);
  });
}
