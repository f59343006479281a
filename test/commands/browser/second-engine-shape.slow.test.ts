import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

describeInChromium('what pages of the second engine see', () => {
  let pages: Pages;
  let unit: Session;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-shape-'));
    pages = await servePages();
    unit = await session({ settings: chromium.pages, unit: { base_url: { lit: `${pages.url}/` } } });
    await unit.call('WR_pw_launch', {});
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    await unit.call('WR_pw_stop_emulate');
    await unit.call('WR_pw_to_url', { url: '/storage' });
  });
  const see = (expression: string): Promise<unknown> => unit.call('WR_pw_evaluate', { expression });
  const zone = 'Intl.DateTimeFormat().resolvedOptions().timeZone';

  test('switches of the configuration reach the browser', async () => {
    const { browser } = chromium.pages;
    const args = [...(browser?.args ?? []), '--user-agent=svc-configured'];
    await using own = await session({ settings: { ...chromium.pages, browser: { ...browser, args } } });
    await own.call('WR_pw_launch', {});
    expect(await own.call('WR_pw_evaluate', { expression: 'navigator.userAgent' })).toBe('svc-configured');
  });

  test('locale, time zone and device add up, and cookies, storage and databases come along', async () => {
    await unit.call('WR_pw_local_storage_set', { key: 'basket', value: 'tea' });
    await unit.call('WR_pw_click', { selector: '#make' });
    // The page makes its database after the click; what is not there yet cannot come along.
    await expect.poll(() => see('document.title')).toBe('Made');
    await unit.call('WR_pw_add_cookies', { cookies: [{ name: 'sid', value: 'kept-cookie', url: pages.url }] });
    await unit.call('WR_pw_set_timezone', { timezone_id: 'Asia/Tokyo' });
    await unit.call('WR_pw_set_locale', { locale: 'de-DE' });
    await unit.call('WR_pw_emulate', { device_name: 'Pixel 7' });
    expect(await unit.call('WR_pw_page_count')).toBe(1);
    await unit.call('WR_pw_to_url', { url: '/storage' });
    expect(await see(`[${zone}, navigator.language, navigator.userAgent.includes('Mobile')]`)).toEqual([
      'Asia/Tokyo',
      'de-DE',
      true,
    ]);
    expect(await unit.call('WR_pw_local_storage_get', { key: 'basket' })).toBe('tea');
    expect(await see('document.cookie')).toContain('kept-cookie');
    expect(await see('indexedDB.databases().then((all) => all.map((one) => one.name))')).toContain('made');
    await unit.call('WR_pw_stop_emulate');
    expect(await see('navigator.language')).not.toBe('de-DE');
    expect(await unit.call('WR_pw_viewport_size')).toEqual({ width: 1280, height: 720 });
  });

  test('a size that was set holds in a new context, until a device brings its own', async () => {
    const size = { width: 900, height: 600 };
    await unit.call('WR_pw_set_viewport_size', size);
    await unit.call('WR_pw_set_locale', { locale: 'de-DE' });
    expect(await unit.call('WR_pw_viewport_size')).toEqual(size);
    expect(await see('[innerWidth, innerHeight]')).toEqual([900, 600]);
    await unit.call('WR_pw_emulate', { device_name: 'Pixel 7' });
    expect(await unit.call('WR_pw_viewport_size')).toEqual({ width: 412, height: 839 });
    await unit.call('WR_pw_stop_emulate');
    expect(await unit.call('WR_pw_viewport_size')).toEqual({ width: 1280, height: 720 });
  });

  test('what the browser does not know changes nothing', async () => {
    for (const [command, params, code] of [
      ['WR_pw_emulate', { device_name: 'Pixel 70' }, 'SVC81093'],
      ['WR_pw_set_timezone', { timezone_id: 'Moon/Tranquility' }, 'SVC81094'],
      ['WR_pw_set_locale', { locale: 'no_such' }, 'SVC81094'],
      ['WR_pw_grant_permissions', { permissions: ['fly'] }, 'SVC81094'],
    ] as const)
      expect((await failureOf(unit.call(command, params))).facts.code).toBe(code);
    expect(await unit.call('WR_pw_title')).toBe('Storage');
  });

  test('time limits, permissions and position come along', async () => {
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 300 });
    await unit.call('WR_pw_grant_permissions', { permissions: ['geolocation'] });
    await unit.call('WR_pw_set_geolocation', { latitude: 52.5, longitude: 13.25, accuracy: 7 });
    await unit.call('WR_pw_set_locale', { locale: 'fr-FR' });
    await unit.call('WR_pw_to_url', { url: '/storage' });
    const place =
      'new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(({ coords }) => resolve([coords.latitude, coords.longitude, coords.accuracy]), reject))';
    expect(await see(place)).toEqual([52.5, 13.25, 7]);
    expect((await failureOf(unit.call('WR_pw_click', { selector: '#none' }))).message).toContain('waited 0.3 s');
    await unit.call('WR_pw_clear_permissions');
    expect(await see("navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)")).toBe('prompt');
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 3000 });
  });

  test('the clock stands where it was put and moves on when told', async () => {
    expect((await failureOf(unit.call('WR_pw_clock_run_for', { duration_ms: 5 }))).facts.code).toBe('SVC81096');
    await unit.call('WR_pw_clock_install', { fake_now_ms: Date.UTC(2030, 0, 1) });
    await unit.call('WR_pw_to_url', { url: '/storage' });
    expect(await see('new Date().getUTCFullYear()')).toBe(2030);
    await see('setTimeout(() => { document.title = "An hour later" }, 3600e3) && null');
    await unit.call('WR_pw_clock_run_for', { duration_ms: 3_600_000 });
    expect(await unit.call('WR_pw_title')).toBe('An hour later');
    await unit.call('WR_pw_clock_set_time', { time_ms: Date.UTC(2031, 5, 1) });
    expect(await see('[Date.now(), Date.now()]')).toEqual([Date.UTC(2031, 5, 1), Date.UTC(2031, 5, 1)]);
  });

  test('requests are answered by mocks, the latest first, until they are taken away', async () => {
    const asked = (): Promise<unknown> => see("fetch('/said-by').then((answer) => answer.text())");
    await unit.call('WR_pw_route_mock', {
      url_pattern: '**/said-by',
      response: { status: 203, body: 'mock', headers: { 'x-by': 'test' }, content_type: 'text/plain' },
    });
    expect(await asked()).toBe('mock');
    expect(
      await see(
        "fetch('/said-by').then(({ status, headers }) => [status, headers.get('x-by'), headers.get('content-type')])",
      ),
    ).toEqual([203, 'test', 'text/plain']);
    await unit.call('WR_pw_route_mock_json', { url_pattern: '**/said-*', json_data: { cents: [5] }, status: 404 });
    expect(await see("fetch('/said-by').then(async (answer) => [answer.status, await answer.json()])")).toEqual([
      404,
      { cents: [5] },
    ]);
    await unit.call('WR_pw_route_unmock', { url_pattern: '**/said-*' });
    expect(await asked()).toBe('mock');
    await unit.call('WR_pw_route_clear');
    expect(await asked()).toBe('server');
  });

  test('an archive holds what was asked, with secrets hidden', async () => {
    const path = join(folder, 'traffic.har');
    expect(await unit.call('WR_pw_stop_har_recording')).toBeNull();
    await unit.call('WR_pw_add_cookies', { cookies: [{ name: 'sid', value: 'canary-cookie', url: pages.url }] });
    await unit.call('WR_pw_start_har_recording', { har_path: path, content: 'embed' });
    await unit.call('WR_pw_to_url', { url: '/input' });
    await unit.call('WR_pw_fill', { selector: '#secret', value: 'canary-typed' });
    await see(
      "fetch('/said-by', { method: 'POST', body: document.getElementById('secret').value, headers: { authorization: 'Bearer canary-header', 'x-api-key': 'canary-key' } }).then(() => null)",
    );
    expect(await unit.call('WR_pw_stop_har_recording')).toBe(path);
    const text = await readFile(path, 'utf8');
    expect(text).not.toMatch(/canary/);
    const { log } = JSON.parse(text) as { log: { entries: readonly { request: { method: string; url: string } }[] } };
    expect(log.entries.map(({ request }) => `${request.method} ${new URL(request.url).pathname}`)).toEqual([
      'GET /input',
      'POST /said-by',
    ]);
  });

  test.each(['packed/traffic.zip', 'beside/traffic.har'])(
    'bodies of %s are masked, and it can be replayed',
    async (name) => {
      const path = join(folder, name);
      await unit.call('WR_pw_start_har_recording', { har_path: path, content: 'attach' });
      await unit.call('WR_pw_to_url', { url: '/input' });
      await unit.call('WR_pw_fill', { selector: '#secret', value: 'canary-typed' });
      await see(
        "(() => { document.cookie = 'said=' + document.getElementById('secret').value; return fetch('/cookies').then((it) => it.text()).then(() => null); })()",
      );
      await unit.call('WR_pw_stop_har_recording');
      if (name.endsWith('.zip'))
        await unit.call('FA_unzip_all', { zip_file_path: path, extract_path: join(folder, 'packed') });
      const kept = await readdir(dirname(path));
      expect(kept.filter((each) => !/\.(?:har|zip)$/.test(each)).length).toBeGreaterThan(1);
      const texts = await Promise.all(kept.map((each) => readFile(join(dirname(path), each), 'latin1')));
      expect(texts.join('')).not.toMatch(/canary/);
      expect(texts.join('')).toContain('said=***');
      await unit.call('WR_pw_replay_har', { har_path: path });
      await unit.call('WR_pw_to_url', { url: '/input' });
      expect(await see('document.title')).toBe('Input');
      await unit.call('WR_pw_route_clear');
    },
  );

  test.each(['bodiless.har', 'bodiless.zip'])(
    '%s, which was recorded without bodies, is not replayed',
    async (name) => {
      const path = join(folder, name);
      await unit.call('WR_pw_start_har_recording', { har_path: path });
      await unit.call('WR_pw_to_url', { url: '/input' });
      await unit.call('WR_pw_stop_har_recording');
      const failure = await failureOf(unit.call('WR_pw_replay_har', { har_path: path }));
      expect(failure.facts.code).toBe('SVC81099');
      expect(failure.message).toContain('it was recorded without bodies (`omit`), and its answer would be empty');
    },
  );

  test('an archive that lacks a body of several is replayed with a warning', async () => {
    const path = join(folder, 'gaps.har');
    const entry = (url: string, content: object): object => ({
      request: { method: 'GET', url },
      response: { content },
    });
    const entries = [
      entry('http://a.test/whole', { size: 2, text: 'ok' }),
      entry('http://a.test/bare', { size: 5 }),
      entry('http://a.test/empty', { size: 0 }),
    ];
    await writeFile(path, JSON.stringify({ log: { entries } }));
    await using own = await session({ settings: chromium.pages });
    await own.call('WR_pw_launch');
    await own.call('WR_pw_replay_har', { har_path: path });
    const told = own.events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []));
    expect(told).toContain(
      `1 of 2 answers in "${path}" were recorded without their bodies, and will be empty: "http://a.test/bare" is the first of them.`,
    );
  });

  test('an archive of a launch is masked too', async () => {
    const path = join(folder, 'launch.har');
    await using own = await session({ settings: chromium.pages });
    await own.call('WR_pw_launch', { record_har_path: path });
    await own.call('WR_pw_add_cookies', { cookies: [{ name: 'sid', value: 'canary-cookie', url: pages.url }] });
    await own.call('WR_pw_to_url', { url: `${pages.url}/input` });
    await own.call('WR_pw_quit');
    expect(await readFile(path, 'utf8')).not.toMatch(/canary/);
  });

  test('a profile of its own keeps its context', async () => {
    await using own = await session({ settings: chromium.pages, root: folder });
    await own.call('WR_pw_launch', { user_data_dir: join(folder, 'profile') });
    expect((await failureOf(own.call('WR_pw_set_locale', { locale: 'ja-JP' }))).facts.code).toBe('SVC81095');
    expect(await own.call('WR_pw_page_count')).toBe(1);
  });
});
