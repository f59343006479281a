import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { decodePng } from '../../fixtures/chromium-png.ts';
import { failureOf, session } from '../call.ts';

describeInChromium('the second engine', () => {
  let pages: Pages;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-second-'));
    pages = await servePages();
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test('a second launch closes the first browser, and a quit forgets the element', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    await unit.call('WR_pw_find_element', { selector: 'h1' });
    await unit.call('WR_pw_launch');
    expect((await failureOf(unit.call('WR_pw_element_click'))).facts.code).toBe('SVC81032');
    expect(await unit.call('WR_pw_url')).toBe('about:blank');
    await unit.call('WR_pw_quit');
    expect((await failureOf(unit.call('WR_pw_url'))).facts.code).toBe('SVC81001');
  });

  test('an archive of the traffic is written when the browser is closed', async () => {
    await using unit = await session({ settings: chromium.settings });
    const path = join(folder, 'traffic', 'all.har');
    await unit.call('WR_pw_launch', { record_har_path: path, record_har_content: 'embed' });
    await unit.call('WR_pw_to_url', { url: `${pages.url}/terms.html` });
    await unit.call('WR_pw_quit');
    const archive = JSON.parse(await readFile(path, 'utf8')) as {
      readonly log: { readonly entries: readonly { readonly request: { readonly url: string } }[] };
    };
    expect(archive.log.entries.map((entry) => entry.request.url)).toContain(`${pages.url}/terms.html`);
  });

  test('an extension works in a profile that is kept', async () => {
    const extension = join(folder, 'mark');
    await mkdir(extension);
    await writeFile(
      join(extension, 'manifest.json'),
      JSON.stringify({
        manifest_version: 3,
        name: 'mark',
        version: '1',
        content_scripts: [{ matches: ['<all_urls>'], js: ['mark.js'] }],
      }),
    );
    await writeFile(join(extension, 'mark.js'), 'document.documentElement.dataset.marked = "yes"');
    await using unit = await session({ settings: chromium.settings });
    const args = await unit.call('WR_pw_extension_args', { extension_dir: extension });
    expect(args).toEqual([`--disable-extensions-except=${extension}`, `--load-extension=${extension}`]);
    await unit.call('WR_pw_launch', { user_data_dir: join(folder, 'profile'), options: { args } });
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    await unit.call('WR_pw_wait_for_selector', { selector: 'html[data-marked=yes]', timeout: 5000 });
  });

  test('what stands in the way of an action is told', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 2000 });
    for (const [selector, reason] of [
      ['#covered', /covered/],
      ['#hidden', /not visible/],
      ['#voucher', /not enabled/],
    ] as const) {
      const failure = await failureOf(unit.call('WR_pw_click', { selector }));
      expect(failure.facts.code).toBe('SVC81034');
      expect(failure.message).toMatch(reason);
    }
    expect((await failureOf(unit.call('WR_pw_click', { selector: '#nothing' }))).message).toMatch(
      /^No element matches "#nothing" on "Corner shop" .*; waited 2 s\.$/,
    );
  });

  test('a date field that takes a text for no date is told, on its own and through its label', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_evaluate', {
      expression: `document.body.innerHTML = '<label>Day <input id="day" type="date"></label>'`,
    });
    for (const selector of ['#day', 'label=Day', 'text=Day']) {
      const { message } = await failureOf(unit.call('WR_pw_fill', { selector, value: '31.12.2026' }));
      expect(message).toMatch(/a field of the type "date" does not take "31.12.2026", but text such as "2026-12-31"$/);
      await unit.call('WR_pw_fill', { selector, value: '2026-12-31' });
      await unit.call('WR_pw_fill', { selector, value: '' });
    }
  });

  test('clicks have a button, keys that are held, a point, and may be forced', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_evaluate', {
      expression: `document.body.innerHTML = '<p id="it" style="width:200px">it</p><button id="shut" disabled>shut</button>'; window.heard = [];
        for (const name of ['click', 'auxclick', 'dblclick', 'mousemove'])
          it.addEventListener(name, (e) => heard.push([e.type, e.button, e.shiftKey, Math.round(e.offsetX)].join(' ')));`,
    });
    const heard = (): Promise<unknown> => unit.call('WR_pw_evaluate', { expression: 'heard.splice(0).at(-1)' });
    const position = { x: 7, y: 4 };
    await unit.call('WR_pw_click', { selector: '#it', button: 'right', modifiers: ['Shift'], position });
    expect(await heard()).toBe('auxclick 2 true 7');
    await unit.call('WR_pw_element_dblclick', { selector: '#it', position });
    expect(await heard()).toBe('dblclick 0 false 7');
    await unit.call('WR_pw_hover', { selector: '#it', modifiers: ['Shift'], position: { x: 9, y: 4 } });
    expect(await heard()).toBe('mousemove 0 true 9');
    await unit.call('WR_pw_click', { selector: '#shut', force: true });
  });

  test('an opening waits for no more than it is told to', async () => {
    await using unit = await session({ settings: chromium.settings });
    const server = createServer(({ url }, answer) => {
      if (url === '/') answer.setHeader('content-type', 'text/html').end('<h1>Half</h1><img src="never">');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    try {
      const url = `http://127.0.0.1:${port}/`;
      await unit.call('WR_pw_launch');
      await unit.call('WR_pw_to_url', { url, wait_until: 'domcontentloaded' });
      expect(await unit.call('WR_pw_element_inner_text', { selector: 'h1' })).toBe('Half');
      await unit.call('WR_pw_set_default_navigation_timeout', { timeout_ms: 300 });
      expect((await failureOf(unit.call('WR_pw_to_url', { url }))).message).toBe(
        `"${url}" did not finish loading within 0.3 s.`,
      );
      expect((await failureOf(unit.call('WR_pw_refresh'))).message).toBe(
        'The page did not finish loading within 0.3 s.',
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('actions of the page reach it', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    await unit.call('WR_pw_wait_for_selector', { selector: '#late' });
    await unit.call('WR_pw_hover', { selector: '#count' });
    expect(await unit.call('WR_pw_element_get_attribute', { selector: '#count', name: 'data-hover' })).toBe('yes');
    await unit.call('WR_pw_dblclick', { selector: '#count' });
    expect(await unit.call('WR_pw_title')).toBe('Twice');
    await unit.call('WR_pw_drag_and_drop', { source_selector: '#from', target_selector: '#onto' });
    expect(await unit.call('WR_pw_element_inner_text', { selector: '#onto' })).toBe('dropped');
    await unit.call('WR_pw_fill', { selector: '#name', value: 'Ada' });
    await unit.call('WR_pw_press', { selector: '#name', key: 'Control+A' });
    await unit.call('WR_pw_type_text', { selector: '#name', value: 'Eve' });
    expect(await unit.call('WR_pw_element_get_property', { selector: '#name', name: 'value' })).toBe('Eve');
    await unit.call('WR_pw_fill', { selector: '#secret', value: 'correct horse' });
    expect(unit.work.run.masker.text('a correct horse')).toBe('a ***');
    await unit.call('WR_pw_evaluate', {
      expression: `document.body.insertAdjacentHTML('beforeend', '<label>Key <b id="inner">it</b><input type="PassWord"></label><label id="plain">Name<input></label>')`,
    });
    await unit.call('WR_pw_fill', { selector: '#inner', value: 'battery staple' });
    await unit.call('WR_pw_fill', { selector: '#plain', value: 'no secret' });
    expect(unit.work.run.masker.text('battery staple, no secret')).toBe('***, no secret');
    await unit.call('WR_pw_find_element', { selector: '#plain input' });
    await unit.call('WR_pw_element_fill', { input_value: 'nothing hidden' });
    await unit.call('WR_pw_find_element', { selector: '#inner' });
    await unit.call('WR_pw_element_fill', { input_value: 'hidden word' });
    expect(unit.work.run.masker.text('nothing hidden, hidden word')).toBe('nothing hidden, ***');
  });

  test('a whole page is higher than what is visible of it', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/terms.html` });
    const visible = decodePng(Buffer.from(String(await unit.call('WR_pw_screenshot_bytes')), 'base64'));
    const whole = decodePng(
      Buffer.from(String(await unit.call('WR_pw_screenshot_bytes', { full_page: true })), 'base64'),
    );
    expect(whole.width).toBe(visible.width);
    expect(whole.height).toBeGreaterThan(3000);
    await unit.call('WR_pw_screenshot', { path: join(folder, 'page.jpeg') });
    expect((await readFile(join(folder, 'page.jpeg'))).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  test('test objects of every strategy are found', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    for (const [type, locator, text] of [
      ['ID', '1a.b', 'Odd id'],
      ['class_name', 'odd', 'Odd id'],
      ['LINK_TEXT', 'Terms of sale', 'Terms of sale'],
      ['partial_link_text', 'of sale', 'Terms of sale'],
      ['xpath', '//li[2]', 'Bread'],
    ] as const) {
      await unit.call('WR_pw_save_test_object_to_selector', { test_object_name: 'it', object_type: type, locator });
      await unit.call('WR_pw_find_element_with_test_object_record', { element_name: 'it' });
      expect(await unit.call('WR_pw_element_inner_text')).toBe(text);
    }
    expect(await unit.call('WR_pw_find_element', { selector: '#nothing' })).toBeNull();
    expect((await failureOf(unit.call('WR_pw_element_click'))).facts.code).toBe('SVC81032');
  });
});
