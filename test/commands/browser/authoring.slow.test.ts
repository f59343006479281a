import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { actionsOf, type RecordedEvent } from '#stdlib/browser/authoring/recorder/actions-of.ts';
import { WebDriverBrowserSession } from '#stdlib/browser/engines/webdriver/session.ts';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { call, session, type Session } from '../call.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'svc-authoring-'))));
afterAll(() => rm(folder, { recursive: true }));

describe('page objects', () => {
  const generate = (html: string): Promise<unknown> => call('WR_generate_pom_from_html', { html, class_name: 'Page' });

  test('name what people use, once each, and find it by what tells it apart', async () => {
    const source = String(
      await generate(`<input id="user-name"><input name="user name" type=number><input type=hidden id=csrf>
<input type=checkbox name=terms><input type=radio class="  "><input type=radio class="pay card"><input type=file id=photo>
<select id=size></select><textarea name=note></textarea><button>Order "now"</button><a href=/terms> Terms  of sale </a>
<button id=1st>First</button><input type=submit value=Go><p id=text>`),
    );
    const locators = [...source.matchAll(/^ {4}(\w+): \['(\w+)', '(.*)'\],$/gm)].map(([, ...found]) => found);
    expect(locators).toEqual([
      ['USER_NAME', 'ID', 'user-name'],
      ['USER_NAME_2', 'NAME', 'user name'],
      ['TERMS', 'NAME', 'terms'],
      ['PAY', 'CLASS_NAME', 'pay'],
      ['PHOTO', 'ID', 'photo'],
      ['SIZE', 'ID', 'size'],
      ['NOTE', 'NAME', 'note'],
      ['ORDER_NOW', 'XPATH', `//button[normalize-space()=concat("Order ", \\'"\\', "now", \\'"\\', "")]`],
      ['TERMS_OF_SALE', 'LINK_TEXT', 'Terms of sale'],
      ['_1ST', 'ID', '1st'],
      ['GO', 'ROLE', 'button[name="Go"]'],
    ]);
    expect([...source.matchAll(/async (\w+)\(/g)].map(([, name]) => name)).toEqual([
      ...['input_to_user_name', 'input_to_user_name_2', 'set_terms', 'choose_pay', 'upload_to_photo', 'select_in_size'],
      ...['input_to_note', 'click_order_now', 'click_terms_of_sale', 'click_1st'],
      'click_go',
    ]);
  });

  test('say how many elements are left out, where some are', async () => {
    expect(await generate('<button id="b"></button><input>')).toContain('/** 1 element is left out: ');
    expect(await generate('<button id="b"></button>')).not.toContain('left out');
  });

  test('name an element by its label where its id is one letter', async () => {
    const source = String(await generate('<label for="m">E-mail</label><input id="m"><button id="b"></button>'));
    expect(source).toContain(`E_MAIL: ['ID', 'm']`);
    expect(source).toContain(`B: ['ID', 'b']`);
  });

  test('hold no code of the page, and say where there is nothing to name', async () => {
    const source = String(
      await generate("<input id=\"a'];process.exit(9);//\"><input id='`${process.exit(9)}\u2028'>"),
    );
    await writeFile(join(folder, 'hostile.ts'), source);
    await import(pathToFileURL(join(folder, 'hostile.ts')).href);
    expect(source).not.toContain('\u2028');
    expect(await generate('<p>nothing</p><input>')).toContain('no element that people use');
  });
});

describeInChromium('what is written for a page', () => {
  let pages: Pages;
  let unit: Session;
  beforeAll(async () => {
    pages = await servePages();
    unit = await session({
      settings: { ...chromium.settings, gates: { private: true } },
      unit: { base_url: { lit: `${pages.url}/` } },
    });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=1000,900'] });
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
  });

  async function on(css: string): Promise<void> {
    await unit.call('WR_save_test_object', { test_object_name: css, object_type: 'css_selector' });
    await unit.call('WR_find_recorded_element', { element_name: css });
  }

  test('a page object does what its methods say', async () => {
    const path = join(folder, 'pages', 'shop.ts');
    const source = await unit.call('WR_generate_pom_from_url', { url: `${pages.url}/`, class_name: 'ShopPage' });
    await unit.call('WR_write_pom_to_file', { source, output_path: path });
    const { ShopPage } = (await import(pathToFileURL(path).href)) as {
      readonly ShopPage: new (
        caller: (command: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>,
      ) => Readonly<Record<string, (value?: unknown) => Promise<void>>>;
    };
    await unit.call('WR_to_url', { url: '/' });
    const page = new ShopPage((command, params) => unit.call(command, params));
    await page['input_to_name']?.('Ada');
    await page['input_to_mail']?.('ada@shop.example');
    await page['select_in_size']?.('Large');
    await page['set_gift']?.(true);
    await page['set_gift']?.(true);
    await page['click_send']?.();
    await unit.call('WR_explicit_wait', { wait_time: 5, condition: { title_is: 'Thank you' } });
    expect(Object.fromEntries(new URLSearchParams(pages.orders.at(-1)))).toMatchObject({
      name: 'Ada',
      mail: 'ada@shop.example',
      size: 'l',
      gift: 'on',
    });
  });

  test('what was recorded does the same again, without the secrets', async () => {
    await unit.call('WR_to_url', { url: '/terms.html' });
    await unit.call('WR_to_url', { url: '/' });
    await unit.call('WR_recorder_start');
    await unit.call('WR_recorder_start');
    await on('#name');
    await unit.call('WR_element_input', { input_value: 'Ada ${ENV.HOME} {{x}}' });
    await on('#secret');
    await unit.call('WR_element_input', { input_value: 'open sesame' });
    await on('#gift');
    await unit.call('WR_element_click');
    await on('#size');
    await unit.call('WR_element_select_by_visible_text', { text: 'Medium' });
    await on('#mail');
    await unit.call('WR_element_input', { input_value: 'ada@shop.example\uE007' });
    await unit.call('WR_explicit_wait', { wait_time: 5, condition: { title_is: 'Thank you' } });
    const first = pages.orders.at(-1);
    const [path, raw] = [join(folder, 'recorded.json'), join(folder, 'raw', 'events.json')];
    await unit.call('WR_recorder_save', { output_path: path, raw_events_path: raw });
    const written = await readFile(path, 'utf8');
    expect(written + (await readFile(raw, 'utf8'))).not.toContain('sesame');
    const events = JSON.parse(await readFile(raw, 'utf8')) as readonly { type: string; selector: string }[];
    expect(events.map(({ type, selector }) => `${type} ${selector}`)).toEqual(
      [
        'click #name',
        'input #name',
        'click #secret',
        'input #secret',
        'check #gift',
        'input #size',
        'click #mail',
        'input #mail',
        'key #mail',
      ].filter((line) => !line.startsWith('click')),
    );
    const actions = JSON.parse(written) as readonly (readonly [string, Record<string, unknown>?])[];
    expect(actions.slice(0, 3).map(([command]) => command)).toEqual([
      'WR_new_driver',
      'WR_implicitly_wait',
      'WR_to_url',
    ]);
    expect(written).toContain('${ENV.SECRET}');
    expect(written).toContain('Ada $${ENV.HOME} \\\\{{x}}');
    for (const [command, params = {}] of actions.slice(1, -1)) {
      const filled = JSON.stringify(params)
        .replace('$${ENV.HOME} \\\\{{x}}', '${ENV.HOME} {{x}}')
        .replace('${ENV.SECRET}', 'open sesame');
      await unit.call(command, JSON.parse(filled) as Record<string, unknown>);
    }
    await unit.call('WR_explicit_wait', { wait_time: 5, condition: { title_is: 'Thank you' } });
    expect(pages.orders.at(-1)).toBe(first);
    await unit.call('WR_implicitly_wait', { time_to_wait: 0 });
  });

  test('recording goes on over pages, and ends', async () => {
    await unit.call('WR_to_url', { url: '/' });
    await unit.call('WR_recorder_start');
    await on('#terms');
    await unit.call('WR_element_click');
    const path = join(folder, 'recorded.yaml');
    await unit.call('WR_recorder_save', { output_path: path });
    expect(await readFile(path, 'utf8')).toContain(
      '- WR_find_recorded_element: { element_name: "#terms" }\n- WR_element_click\n',
    );
    await unit.call('WR_explicit_wait', { wait_time: 5, condition: { title_is: 'Terms of sale' } });
    await on('h1');
    await unit.call('WR_element_click');
    const events = (await unit.call('WR_recorder_pull_events')) as readonly { selector: string }[];
    expect(events.map(({ selector }) => selector)).toEqual(['body > h1:nth-of-type(1)']);
    expect(await unit.call('WR_recorder_pull_events')).toEqual([]);
    await stopped();
  });

  test('recording goes on over pages by the bidirectional protocol, and ends', async () => {
    await unit.call('WR_quit_all');
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', enable_bidi: true });
    const driven = vi.spyOn(WebDriverBrowserSession.prototype, 'protocol');
    await unit.call('WR_to_url', { url: '/' });
    await unit.call('WR_recorder_start');
    await unit.call('WR_to_url', { url: '/terms.html' });
    await on('h1');
    await unit.call('WR_element_click');
    expect(await unit.call('WR_recorder_pull_events')).toMatchObject([{ role: 'heading[name="Terms"]' }]);
    await stopped();
    expect(driven).not.toHaveBeenCalled();
    driven.mockRestore();
  });

  test('elements without code of their own are found by role and name, wherever they stand', async () => {
    await unit.call('WR_to_url', { url: '/' });
    const body = (before: string): string => `document.body.innerHTML = '${before}' + \`
<div><button class=x onclick="window.done = (window.done || '') + 'save '"><b>Save "all"</b></button></div>
<button name=Save>Other</button><button>Twice</button><button>Twice</button>
<div role=tab onclick="window.done += 'tab '"><i>Bills</i></div>
<label>E-mail <input onchange="window.done += value"></label><label>Key <input type=password></label>\``;
    await unit.call('WR_execute_script', { script: body('') });
    await unit.call('WR_recorder_start');
    for (const selector of ['b', '[name=Save]', 'body > button:last-of-type', 'i'])
      await on(selector).then(() => unit.call('WR_element_click'));
    await on('label:first-of-type input');
    await unit.call('WR_element_input', { input_value: 'ada\uE007' });
    const path = join(folder, 'roles.json');
    await unit.call('WR_recorder_save', { output_path: path });
    await unit.call('WR_recorder_stop');
    const actions = JSON.parse(await readFile(path, 'utf8')) as readonly (readonly [string, Record<string, string>?])[];
    const saved = actions.flatMap(([command, params]) => (command === 'WR_save_test_object' && params ? [params] : []));
    expect(saved.map((each) => `${each['object_type']} ${each['locator'] ?? each['test_object_name']}`)).toEqual([
      'ROLE button[name="Save \\"all\\""]',
      'CSS_SELECTOR button[name="Save"]',
      'CSS_SELECTOR body > button:nth-of-type(3)',
      'ROLE tab[name="Bills"]',
      'ROLE textbox[name="E-mail"]',
    ]);
    await unit.call('WR_execute_script', { script: `window.done = ''; ${body('<div>News</div><p>more</p>')}` });
    for (const [command, params = {}] of actions.slice(3, -1)) await unit.call(command, params);
    expect(await unit.call('WR_execute_script', { script: 'return window.done' })).toBe('save tab ada');
  });

  test('keys that choose from a list, work a widget or end something do the same again', async () => {
    await unit.call('WR_to_url', { url: '/' });
    const body = `window.done = []; document.body.innerHTML = \`
<input id=town role=combobox><textarea id=note></textarea><input id=plain>
<div id=tabs role=tablist tabindex=0>tabs</div><button id=go>Go</button>\`;
town.onkeydown = ({ key }) => { window.done.push(town.value + ' ' + key); if (key === 'Enter') town.value = 'Paris'; };
tabs.onkeydown = ({ key }) => window.done.push('tabs ' + key);
go.onclick = () => window.done.push('go');
onkeydown = ({ key }) => { if (key === 'Escape') window.done.push('away'); };`;
    await unit.call('WR_execute_script', { script: body });
    await unit.call('WR_recorder_start');
    const press = async (css: string, input_value: string): Promise<void> => {
      await on(css);
      await unit.call('WR_element_input', { input_value });
    };
    await press('#town', 'par\uE015\uE007');
    await press('#note', 'a\uE013\uE007b');
    await press('#plain', '\uE00C');
    await press('#tabs', '\uE014\uE00D');
    await press('#go', '\uE00D');
    const events = (await unit.call('WR_recorder_pull_events')) as readonly RecordedEvent[];
    expect(events.map(({ type, selector, value = '' }) => `${type} ${selector} ${value}`.trim())).toEqual([
      ...['input #town par', 'key #town ArrowDown', 'key #town Enter', 'input #note \nba', 'key #plain Escape'],
      ...['key #tabs ArrowRight', 'key #tabs Space', 'click #go'],
    ]);
    const done = await unit.call('WR_execute_script', { script: 'return window.done.slice()' });
    await unit.call('WR_recorder_stop');
    await unit.call('WR_execute_script', { script: body });
    const actions = actionsOf(events, { address: '', browser: 'chromium' });
    for (const [command, params = {}] of actions.slice(3, -1)) await unit.call(command, params);
    expect(await unit.call('WR_execute_script', { script: 'return window.done' })).toEqual(done);
  });

  const stopped = async (): Promise<void> => {
    await unit.call('WR_recorder_stop');
    await on('h1');
    await unit.call('WR_element_click');
    await unit.call('WR_refresh');
    await on('h1');
    await unit.call('WR_element_click');
    expect(await unit.call('WR_recorder_pull_events')).toEqual([]);
  };
});
