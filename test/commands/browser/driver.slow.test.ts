import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session } from '../call.ts';

describeInChromium('sessions over WebDriver', () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await servePages();
  });
  afterAll(() => pages[Symbol.asyncDispose]());

  test('two sessions, each with its own page and its own current element', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_new_driver', { webdriver_name: 'chrome' });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
    await unit.call('WR_save_test_object', { test_object_name: 'heading', object_type: 'tag_name', locator: 'h1' });
    await unit.call('WR_find_recorded_element', { element_name: 'heading' });

    const handle = await unit.call('WR_set_driver', { webdriver_name: 'chromium' });
    expect(handle).toMatchObject({ $handle: 'session', browser: 'chrome' });
    await unit.call('WR_to_url', { url: `${pages.url}/terms.html` });
    expect((await failureOf(unit.call('WR_element_click'))).facts.code).toBe('SVC81032');

    await unit.call('WR_change_index_of_webdriver', { index_of_webdriver: 0 });
    await unit.call('WR_element_assert', { check_dict: { text: 'Corner shop' } });
    await unit.call('WR_quit_current');
    expect((await failureOf(unit.call('WR_back'))).message).toBe('No WebDriver session is current (1 open).');
    await unit.call('WR_change_index_of_webdriver', { index_of_webdriver: 0 });
    await unit.call('WR_check_current_webdriver', { check_dict: { title: 'Terms of sale', name: 'chrome' } });
    expect((await failureOf(unit.call('WR_find_recorded_element', { element_name: 'heading' }))).facts.code).toBe(
      'SVC81030',
    );
    await unit.call('WR_quit_all');
    await unit.call('WR_quit_all');
  });

  test('a start that fails leaves the open session as it is', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_new_driver', { webdriver_name: 'chrome' });
    const failure = await failureOf(
      unit.call('WR_new_driver', { webdriver_name: 'chrome', experimental_options: { binary: '/bin/false' } }),
    );
    expect(failure.facts).toMatchObject({ code: 'SVC81004', class: 'environment' });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
  });

  test('an answer without a page is not taken for the error of the address before', async () => {
    await using unit = await session({ settings: chromium.settings });
    const server = createServer((_, answer) => answer.writeHead(204).end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    try {
      await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
      const unreachable = unit.call('WR_to_url', { url: 'http://nowhere.invalid/' });
      expect((await failureOf(unreachable)).facts.code).toBe('SVC81025');
      await unit.call('WR_to_url', { url: `http://127.0.0.1:${port}/` });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('a session that asks for BiDi leaves dialogs to the steps', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', enable_bidi: true });
    await unit.call('WR_to_url', { url: `${pages.url}/dialogs` });
    await unit.call('WR_save_test_object', { test_object_name: 'confirm', object_type: 'id' });
    await unit.call('WR_find_recorded_element', { element_name: 'confirm' });
    await unit.call('WR_element_click');
    await unit.call('WR_explicit_wait', { wait_time: 10, condition: { dialog_open: true } });
    await unit.call('WR_execute', { driver_command: 'acceptAlert' });
    expect(await unit.call('WR_execute_script', { script: 'return window.said' })).toBe(true);
    await unit.call('WR_execute_script', { script: 'onbeforeunload = () => "stay"' });
    await unit.call('WR_find_recorded_element', { element_name: 'confirm' });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
  });

  test('a session that asks for BiDi hears consoles and errors that nothing caught', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', enable_bidi: true });
    await unit.call('WR_to_url', { url: `${pages.url}/noisy` });
    await unit.call('WR_explicit_wait', { wait_time: 10, condition: { element_present: { css: 'p' } } });
    await failureOf(unit.call('WR_element_assert', { check_dict: { tag_name: 'nothing' } }));
    const heard = unit.evidence.find((each) => each.kind === 'text' && each.file === 'console.txt');
    const log = (await unit.call('WR_get_log', { log_type: 'browser' })) as readonly {
      level: string;
      message: string;
    }[];
    const said = log.map(({ level, message }) => `${level}: ${message.replace(/^http\S+ \d+:\d+ /, '')}`);
    expect(said).toEqual(
      expect.arrayContaining([
        'INFO: all is well',
        'WARNING: take care',
        'SEVERE: the till is open',
        expect.stringMatching(/^SEVERE: .*nobody caught this/),
      ]),
    );
    expect(heard).toMatchObject({ text: expect.stringContaining('all is well') });
    expect(await unit.call('WR_get_log', { log_type: 'browser' })).toEqual([]);
  });

  test('all facts that differ are told at once', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_new_driver', { webdriver_name: 'chrome', options: ['--window-size=801,601'] });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
    const failure = await failureOf(
      unit.call('WR_check_current_webdriver', {
        check_dict: { title: 'x', name: 'chrome', timeouts: { implicit: 0, pageLoad: 300, script: 31 } },
      }),
    );
    expect(failure.options.expected).toEqual({ title: 'x', timeouts: { implicit: 0, pageLoad: 300, script: 31 } });
    expect(failure.options.actual).toEqual({
      title: 'Corner shop',
      timeouts: { implicit: 0, pageLoad: 300, script: 30 },
    });
    expect(await unit.call('WR_get_window_rect')).toMatchObject({ width: 801, height: 601 });
  });

  test('capabilities that were set wait for the next start', async () => {
    await using unit = await session({ settings: chromium.settings });
    await unit.call('WR_set_webdriver_options_capability', { key_and_vale_dict: { pageLoadStrategy: 'none' } });
    await unit.call('WR_set_webdriver_options_capability', {
      key_and_vale_dict: { 'goog:chromeOptions': { prefs: { 'intl.accept_languages': 'eo' } } },
    });
    await unit.call('WR_new_driver', { webdriver_name: 'chrome' });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
    expect(await unit.call('WR_execute_script', { script: 'return navigator.language' })).toBe('eo');
  });

  test('an extension is loaded from its folder, given in either way', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-extension-'));
    try {
      await mkdir(join(folder, 'mark'));
      await writeFile(
        join(folder, 'mark', 'manifest.json'),
        JSON.stringify({
          manifest_version: 3,
          name: 'mark',
          version: '1',
          content_scripts: [{ matches: ['<all_urls>'], js: ['mark.js'] }],
        }),
      );
      await writeFile(join(folder, 'mark', 'mark.js'), 'document.documentElement.dataset.marked = "yes"');
      await using unit = await session({ settings: chromium.settings });
      const options = await unit.call('WR_chrome_options_with_extension', {
        crx_or_dir: join(folder, 'mark'),
        options: { prefs: {} },
      });
      expect(options).toEqual({ prefs: {}, args: [`--load-extension=${join(folder, 'mark')}`] });
      await writeFile(join(folder, 'mark.crx'), 'Cr24abc');
      expect(
        await unit.call('WR_chrome_options_with_extension', { crx_or_dir: join(folder, 'mark.crx'), options: {} }),
      ).toEqual({ extensions: ['Q3IyNGFiYw=='] });
      for (const params of [{ experimental_options: options }, { extension_paths: [join(folder, 'mark')] }]) {
        await unit.call('WR_new_driver', { webdriver_name: 'chromium', ...params });
        await unit.call('WR_to_url', { url: `${pages.url}/` });
        expect(await unit.call('WR_execute_script', { script: 'return document.documentElement.dataset.marked' })).toBe(
          'yes',
        );
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
