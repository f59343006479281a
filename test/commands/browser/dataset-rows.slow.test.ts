import { afterAll, beforeAll, expect, test } from 'vitest';

import type { WebDriver } from '#stdlib/browser/engines/webdriver/port.ts';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

/** Both stores, a database, a field and a box. */
const looking = `[localStorage.getItem('k'), sessionStorage.getItem('k'), await new Promise((resolve) => {
  indexedDB.open('db', 1).onsuccess = ({ target: { result } }) => {
    if (!result.objectStoreNames.contains('s')) return resolve([]);
    result.transaction('s').objectStore('s').getAll().onsuccess = (event) => { result.close(); resolve(event.target.result); };
  };
}), document.getElementById('name').value, document.getElementById('gift').checked]`;

const filling = (
  value: string,
): string => `(localStorage.setItem('k', '${value}'), sessionStorage.setItem('k', '${value}'),
  document.getElementById('name').value = '${value}', document.getElementById('gift').checked = ${value === 'setup'}, await new Promise((resolve) => {
  const opening = indexedDB.open('db', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('s', { keyPath: null });
  opening.onsuccess = ({ target: { result } }) => {
    const work = result.transaction('s', 'readwrite');
    work.objectStore('s').put('${value}', 1);
    work.oncomplete = () => { result.close(); resolve(null); };
  };
}))`;

const rows = { rows: { path: 'x.csv', format: 'csv' } } as const;

describeInChromium('a row of a dataset starts with the browser of setup', () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await servePages();
  });
  afterAll(() => pages[Symbol.asyncDispose]());
  const open = (): Promise<Session> => session({ settings: chromium.pages, unit: rows });

  test('over WebDriver: windows, address, cookies, elements, sessions', async () => {
    await using unit = await open();
    const driver = async <T>(work: (driver: WebDriver) => Promise<T>): Promise<T> =>
      (await unit.work.port('webdriver', unit.work.linked)).current.run({ signal: new AbortController().signal }, work);
    const find = (name: string): Promise<unknown> => unit.call('WR_find_recorded_element', { element_name: name });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
    await unit.call('WR_add_cookie', { cookie_dict: { name: 'old', value: '1' } });
    await unit.call('WR_save_test_object', { test_object_name: 'head', object_type: 'tag_name', locator: 'h1' });
    await find('head');
    const cookies = async (): Promise<unknown> =>
      ((await unit.call('WR_get_cookies')) as { name: string }[]).map(({ name }) => name).sort();
    const before = await cookies();
    expect(before).toContain('old');
    await unit.work.rows?.begin();
    for (let turn = 0; turn < 2; turn++) {
      await driver((each) => each.executeScript('window.open("/terms.html")'));
      await unit.call('WR_add_cookie', { cookie_dict: { name: 'new', value: '1' } });
      await unit.call('WR_throttle', { preset: 'slow_3g' });
      await unit.call('WR_to_url', { url: `${pages.url}/terms.html` });
      await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
      expect(await unit.work.rows?.restore()).toBeUndefined();
      expect(await driver((each) => each.getCurrentUrl())).toBe(`${pages.url}/`);
      expect(await driver((each) => each.getAllWindowHandles())).toHaveLength(1);
      expect(await cookies()).toEqual(before);
      const begin = performance.now();
      await driver((each) => each.executeAsyncScript('fetch("/said-by").then(() => arguments[0]())'));
      expect(performance.now() - begin).toBeLessThan(390);
      // The page is another one now.
      expect((await failureOf(unit.call('WR_element_click'))).facts.code).toBe('SVC81032');
      await find('head');
    }
    await unit.call('WR_quit_all');
    expect(await unit.work.rows?.restore()).toContain('a browser that setup had opened was closed');
  });

  test('over Playwright: pages, address, cookies', async () => {
    await using unit = await open();
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    const { page } = (await unit.work.port('playwright', unit.work.linked)).session;
    const context = page.context();
    const cookie = (name: string): Promise<void> => context.addCookies([{ name, value: '1', url: pages.url }]);
    const cookies = async (): Promise<unknown> => (await context.cookies()).map(({ name }) => name).sort();
    await cookie('old');
    const before = await cookies();
    expect(before).toContain('old');
    await unit.work.rows?.begin();
    for (let turn = 0; turn < 2; turn++) {
      await context.newPage();
      await cookie('new');
      await unit.call('WR_pw_to_url', { url: `${pages.url}/terms.html` });
      expect(await unit.work.rows?.restore()).toBeUndefined();
      expect(await unit.call('WR_pw_url')).toBe(`${pages.url}/`);
      expect(context.pages()).toHaveLength(1);
      expect(await cookies()).toEqual(before);
    }
    await unit.call('WR_pw_launch');
    expect(await unit.work.rows?.restore()).toContain('the browser that setup had opened was closed');
  });

  for (const engine of ['', 'pw_'] as const)
    test(`what pages store, what is typed and what is mocked is that of setup (WR_${engine})`, async () => {
      await using unit = await open();
      const ask = (expression: string): Promise<unknown> =>
        engine === ''
          ? unit.call('WR_execute_script', { script: `return (async () => (${expression}))()` })
          : unit.call('WR_pw_evaluate', { expression: `(async () => (${expression}))()` });
      const goTo = (path: string): Promise<unknown> => unit.call(`WR_${engine}to_url`, { url: `${pages.url}${path}` });
      if (engine === '') await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
      else await unit.call('WR_pw_launch');
      await goTo('/forms');
      await ask(filling('setup'));
      const before = await ask(looking);
      expect(before).toEqual(['setup', 'setup', ['setup'], 'setup', true]);
      if (engine !== '')
        await unit.call('WR_pw_route_mock', { url_pattern: '**/said-by', response: { body: 'setup' } });
      await unit.work.rows?.begin();
      for (const leaves of [false, true]) {
        await ask(filling('row'));
        if (engine !== '') {
          await unit.call('WR_pw_route_mock', { url_pattern: '**/said-by', response: { body: 'row' } });
          // Once as many as before, of which one is another.
          if (!leaves) await unit.call('WR_pw_route_mock', { url_pattern: '**/other', response: { body: 'row' } });
        }
        if (leaves) await goTo('/terms.html');
        expect(await unit.work.rows?.restore()).toBeUndefined();
        // A document that was left comes back as it was loaded.
        expect(await ask(looking)).toEqual(leaves ? ['setup', 'setup', ['setup'], '', false] : before);
        const said = await ask("(await (await fetch('/said-by')).text()) + (await fetch('/other')).status");
        expect(said).toBe(engine === '' ? 'server404' : 'setup404');
      }
    });

  test('clock, language, permissions, position, network and size are those of setup', async () => {
    await using unit = await open();
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/forms` });
    await unit.call('WR_pw_grant_permissions', { permissions: ['notifications'], origin: pages.url });
    const looks = async (): Promise<unknown> => {
      const states = `['geolocation', 'notifications'].map(async (name) => (await navigator.permissions.query({ name })).state)`;
      const own = `[Math.abs(Date.now() - ${Date.now()}) < 600000, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth]`;
      const fetched = `fetch('/said-by').then((answer) => answer.text(), () => 'offline')`;
      return unit.call('WR_pw_evaluate', {
        expression: `(async () => [...(await Promise.all(${states})), ...${own}, await ${fetched}])()`,
      });
    };
    const before = await looks();
    expect(before).toEqual([expect.any(String), 'granted', true, expect.any(String), expect.any(Number), 'server']);
    await unit.work.rows?.begin();
    for (const change of [
      async () => {
        await unit.call('WR_pw_clear_permissions');
        await unit.call('WR_pw_grant_permissions', { permissions: ['geolocation'], origin: pages.url });
        await unit.call('WR_pw_set_geolocation', { latitude: 1, longitude: 2 });
        await unit.call('WR_pw_set_viewport_size', { width: 333, height: 444 });
        await unit.call('WR_pw_throttle', { preset: 'offline' });
      },
      () => unit.call('WR_pw_clock_set_time', { time_ms: 1000 }),
      async () => {
        await unit.call('WR_pw_set_timezone', { timezone_id: 'Asia/Tokyo' });
        await unit.call('WR_pw_to_url', { url: `${pages.url}/forms` });
      },
    ]) {
      await change();
      expect(await looks()).not.toEqual(before);
      expect(await unit.work.rows?.restore()).toBeUndefined();
      expect(await unit.call('WR_pw_url')).toBe(`${pages.url}/forms`);
      expect(await looks()).toEqual(before);
    }
  });

  test('one that a row opened is closed', async () => {
    await using unit = await open();
    await unit.work.rows?.begin();
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_pw_launch');
    expect(await unit.work.rows?.restore()).toBeUndefined();
    expect((await failureOf(unit.call('WR_refresh'))).facts.code).toBe('SVC81000');
    expect((await failureOf(unit.call('WR_pw_url'))).facts.code).toBe('SVC81001');
  });

  test('a search for several that finds none leaves no element current, on both engines', async () => {
    await using unit = await open();
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
    await unit.call('WR_save_test_object', { test_object_name: 'head', object_type: 'tag_name', locator: 'h1' });
    await unit.call('WR_save_test_object', { test_object_name: 'none', object_type: 'id', locator: 'nowhere' });
    await unit.call('WR_find_recorded_element', { element_name: 'head' });
    expect(await unit.call('WR_find_recorded_elements', { element_name: 'none' })).toEqual([]);
    expect((await failureOf(unit.call('WR_element_click'))).facts.code).toBe('SVC81032');
    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    for (const [command, given] of [
      ['WR_pw_find_elements', { selector: '#nowhere' }],
      ['WR_pw_find_elements_with_test_object_record', { element_name: 'none' }],
    ] as const) {
      await unit.call('WR_pw_find_element', { selector: 'h1' });
      expect(await unit.call(command, given)).toEqual([]);
      expect((await failureOf(unit.call('WR_pw_element_click'))).facts.code).toBe('SVC81032');
    }
  });
});
