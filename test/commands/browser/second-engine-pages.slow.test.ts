import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

describeInChromium('pages of the second engine', () => {
  let pages: Pages;
  let unit: Session;
  beforeAll(async () => {
    pages = await servePages();
    unit = await session({ settings: chromium.pages, unit: { base_url: { lit: `${pages.url}/` } } });
    await unit.call('WR_pw_launch', {});
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 3000 });
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
  });

  async function onePage(): Promise<void> {
    await unit.call('WR_pw_new_page');
    while ((await unit.call('WR_pw_page_count')) !== 1) await unit.call('WR_pw_close_page', { index: 0 });
  }

  test('pages are counted from 0, and closing one before keeps the current one current', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/' });
    expect(await unit.call('WR_pw_new_page')).toBe(1);
    await unit.call('WR_pw_to_url', { url: '/terms.html' });
    expect(await unit.call('WR_pw_new_page')).toBe(2);
    await unit.call('WR_pw_switch_to_page', { index: 1 });
    await unit.call('WR_pw_close_page', { index: 0 });
    expect(await unit.call('WR_pw_title')).toBe('Terms of sale');
    expect(await unit.call('WR_pw_page_count')).toBe(2);
    expect((await failureOf(unit.call('WR_pw_switch_to_page', { index: 2 }))).message).toBe(
      'There is no page 2: 2 open, counted from 0.',
    );
  });

  test('a page that is about to open is waited for where its number is chosen', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/' });
    await unit.call('WR_pw_evaluate', { expression: 'void setTimeout(() => open("/terms.html"), 300)' });
    await unit.call('WR_pw_switch_to_page', { index: 1 });
    expect(await unit.call('WR_pw_url')).toBe(`${pages.url}/terms.html`);
  });

  test('the page that takes the place of a closed one becomes current, and after the last there is none', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/' });
    await unit.call('WR_pw_new_page');
    await unit.call('WR_pw_switch_to_page', { index: 0 });
    await unit.call('WR_pw_close_page');
    expect(await unit.call('WR_pw_url')).toBe('about:blank');
    await unit.call('WR_pw_close_page');
    expect(await unit.call('WR_pw_page_count')).toBe(0);
    expect((await failureOf(unit.call('WR_pw_title'))).facts.code).toBe('SVC81001');
    expect(await unit.call('WR_pw_new_page')).toBe(0);
  });

  test('a page that the site opens is in the list', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/popup' });
    await unit.call('WR_pw_click', { selector: '#new' });
    await expect.poll(() => unit.call('WR_pw_page_count')).toBe(2);
    expect(await unit.call('WR_pw_title')).toBe('Popup');
    await unit.call('WR_pw_switch_to_page', { index: 1 });
    await unit.call('WR_pw_wait_for_load_state');
    expect(await unit.call('WR_pw_title')).toBe('Leaf');
  });

  test('an element and a frame of another page are not current', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/frames' });
    await unit.call('WR_pw_frame_locator_chain', { selectors: ['#outer'] });
    await unit.call('WR_pw_find_element', { selector: 'h1' });
    await unit.call('WR_pw_new_page');
    expect((await failureOf(unit.call('WR_pw_element_click'))).facts.code).toBe('SVC81032');
    await unit.call('WR_pw_switch_to_page', { index: 0 });
    expect(await unit.call('WR_pw_element_inner_text', { selector: 'h1' })).toBe('Top');
  });

  test('a frame that is removed while it is current is told', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/frames' });
    await unit.call('WR_pw_frame_locator_chain', { selectors: ['#outer'] });
    await unit.call('WR_pw_cdp', {
      method: 'Runtime.evaluate',
      params: { expression: 'document.getElementById("outer").remove()' },
    });
    expect((await failureOf(unit.call('WR_pw_find_element', { selector: 'h1' }))).facts.code).toBe('SVC81081');
  });

  test('what a page says is captured, errors that nothing caught and requests without an answer too', async () => {
    await onePage();
    expect((await failureOf(unit.call('WR_pw_assert_no_console_errors'))).facts.code).toBe('SVC81090');
    await unit.call('WR_pw_event_capture_start');
    await unit.call('WR_pw_to_url', { url: '/noisy' });
    await unit.call('WR_pw_wait_for_selector', { selector: '#done' });
    const messages = (await unit.call('WR_pw_console_messages')) as readonly { type: string; text: string }[];
    const own = messages.filter(({ text }) => !text.includes('Failed to load')).map(({ type, text }) => [type, text]);
    expect(own).toEqual([
      ['log', 'all is well'],
      ['warning', 'take care'],
      ['error', 'the till is open'],
      ['pageerror', 'nobody caught this'],
    ]);
    const responses = (await unit.call('WR_pw_network_responses')) as readonly { url: string; status: number }[];
    const byPath = Object.fromEntries(responses.map(({ url, status }) => [new URL(url).pathname, status]));
    expect(byPath).toMatchObject({ '/noisy': 200, '/broken': 503, '/missing': 404, '/said-by': 200, '/': 0 });
    expect((await failureOf(unit.call('WR_pw_assert_no_5xx'))).message).toBe(
      `The page had 1 answer with a status of 500 or more: GET ${pages.url}/broken: 503`,
    );
    expect((await failureOf(unit.call('WR_pw_assert_no_4xx_or_5xx'))).message).toContain('had 2 answers');
    expect((await failureOf(unit.call('WR_pw_assert_no_console_errors'))).message).toContain('the till is open');
    await unit.call('WR_pw_event_capture_clear');
    await unit.call('WR_pw_assert_no_4xx_or_5xx');
    await unit.call('WR_pw_event_capture_stop');
    await unit.call('WR_pw_refresh');
    expect(await unit.call('WR_pw_console_messages')).toEqual([]);
  });

  test('a capture goes on in the page of a new context', async () => {
    await using own = await session({ settings: chromium.pages, unit: { base_url: { lit: `${pages.url}/` } } });
    const open = async (): Promise<void> => {
      await own.call('WR_pw_to_url', { url: '/noisy' });
      await own.call('WR_pw_wait_for_selector', { selector: '#done' });
    };
    await own.call('WR_pw_launch');
    await own.call('WR_pw_event_capture_start');
    await own.call('WR_pw_set_timezone', { timezone_id: 'Asia/Tokyo' });
    await open();
    expect((await failureOf(own.call('WR_pw_assert_no_5xx'))).facts.code).toBe('SVC81091');
    await own.call('WR_pw_event_capture_stop');
    await own.call('WR_pw_event_capture_clear');
    await own.call('WR_pw_stop_emulate');
    await open();
    expect(await own.call('WR_pw_network_responses')).toEqual([]);
  });

  test('what is typed into the focused password field is masked', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/input' });
    await unit.call('WR_pw_click', { selector: '#secret' });
    await unit.call('WR_pw_keyboard_type', { text: 'staple battery' });
    await unit.call('WR_pw_click', { selector: '#one' });
    await unit.call('WR_pw_keyboard_type', { text: 'horse correct' });
    expect(unit.work.run.masker.text('staple battery, horse correct')).toBe('***, horse correct');
  });

  test('keys of a password that a page tells its console are masked', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/input' });
    await unit.call('WR_pw_type_text', { selector: '#secret', value: 'gravel-lantern' });
    await unit.call('WR_pw_keyboard_type', { text: 'copper-meadow' });
    expect(unit.work.run.masker.text('now gravel-l, then copper-mea')).toBe('now ***, then ***');
  });

  test('a password is masked that could not be filled in', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/input' });
    await unit.call('WR_pw_evaluate', { expression: "(document.getElementById('secret').disabled = true) && null" });
    for (const [command, value] of [
      ['WR_pw_fill', { selector: '#secret', value: 'never-filled' }],
      ['WR_pw_element_type_text', { selector: '#secret', input_value: 'never-typed' }],
    ] as const) {
      const { failure } = await unit.step(command, value, { timeout_s: 2 });
      expect(failure?.message).toContain('not enabled');
    }
    expect(JSON.stringify(unit.records)).not.toMatch(/never-/);
    expect(unit.work.run.masker.text('never-filled never-typed')).toBe('*** ***');
  });

  test('stored tokens and cookies are masked, other entries are not', async () => {
    await onePage();
    await unit.call('WR_pw_to_url', { url: '/storage' });
    await unit.call('WR_pw_local_storage_set', { key: 'accessToken', value: 'tok-0123456789' });
    await unit.call('WR_pw_session_storage_set', { key: 'theme', value: 'darkness' });
    await unit.call('WR_pw_add_cookies', { cookies: [{ name: 'sid', value: 'cookie-4711', url: pages.url }] });
    expect(unit.work.run.masker.text('tok-0123456789 darkness cookie-4711')).toBe('*** darkness ***');
  });
});
