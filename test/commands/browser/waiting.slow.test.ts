import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

describeInChromium('waiting for an element', () => {
  let pages: Pages;
  let unit: Session;
  beforeAll(async () => {
    pages = await servePages();
    unit = await session({
      settings: { ...chromium.pages, limits: { browser_action_ms: 600 } },
      unit: { base_url: { lit: `${pages.url}/` } },
    });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=800,600'] });
    await unit.call('WR_pw_launch', {});
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 600 });
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await unit.call('WR_to_url', { url: '/waiting' });
    await unit.call('WR_pw_to_url', { url: '/waiting' });
  });
  async function find(css: string): Promise<void> {
    await unit.call('WR_save_test_object', { test_object_name: css, object_type: 'css_selector' });
    await unit.call('WR_find_recorded_element', { element_name: css });
  }

  test.each([
    ['#never-enabled', 'not enabled: it is disabled'],
    ['#in-fieldset', 'not enabled: its fieldset is disabled'],
    ['#never-visible', 'not visible: it is inside <div#curtained> "Never visible", whose display is none'],
    ['#never-free', 'not reachable: it is covered by <div#curtain> "curtain"'],
  ])('both engines say the same of %s, and for how long', async (css, words) => {
    await find(css);
    const first = await failureOf(unit.call('WR_element_click'));
    const second = await failureOf(unit.call('WR_pw_click', { selector: css }));
    expect(first.message).toMatch(
      new RegExp(`^The element css "${css}" cannot be used this way: ${words}, for 0\\.\\d s; waited 0\\.[6-9] s$`),
    );
    expect(second.message).toBe(`The element "${css}" cannot be used this way: ${words}; waited 0.6 s`);
  });

  test('a time limit of the step ends the wait with the reason', async () => {
    await find('#never-enabled');
    const begin = performance.now();
    const ended = await failureOf(unit.call('WR_element_click', {}, { timeout_s: 0.4 }));
    expect(performance.now() - begin).toBeLessThan(600);
    expect(ended.message).toContain('not enabled: it is disabled, for 0');
    const other = await failureOf(unit.call('WR_pw_click', { selector: '#never-enabled' }, { timeout_s: 0.5 }));
    expect(other.message).toMatch(/not enabled: it is disabled; waited 0\.3\d* s$/);
    const hidden = { selector: '#never-visible', timeout: 5000 };
    const unseen = await failureOf(unit.call('WR_pw_wait_for_selector', hidden, { timeout_s: 0.5 }));
    expect(unseen.message).toContain('#never-visible is visible');
    await unit.call('WR_implicitly_wait', { time_to_wait: 5 });
    await unit.call('WR_save_test_object', { test_object_name: 'gone', object_type: 'css_selector' });
    const gone = await failureOf(unit.call('WR_find_recorded_element', { element_name: 'gone' }, { timeout_s: 0.5 }));
    expect(gone.message).toContain('css "gone"');
    await unit.call('WR_implicitly_wait', { time_to_wait: 0 });
    await find('#disabled-first');
    await unit.call('WR_element_click');
  });

  test('a locator that finds nothing shows what is most like it', async () => {
    for (const [css, near] of [
      ['#disabled-frist', '#disabled-first ("Disabled first")'],
      ['[name="never_editable_field"]', '#never-editable'],
      ['button.far-below', '#far-below ("Far below")'],
    ] as const) {
      const { options } = await failureOf(find(css));
      expect(options).toMatchObject({ expected: css, actual: [near, ...(options.actual as string[]).slice(1)] });
      const other = await failureOf(unit.call('WR_pw_click', { selector: css }));
      expect(other.options.actual).toEqual(options.actual);
    }
    expect((await failureOf(find('#zzzzqqqq'))).options.actual).toBeUndefined();
  });

  test('the checks of an element that is ready wait for no frame', async () => {
    await unit.call('WR_execute_script', {
      script: `window.waits = [];
        for (const name of ['requestAnimationFrame', 'setTimeout']) {
          const own = window[name];
          window[name] = (...given) => { window.waits.push(name); return own.apply(window, given); };
        }`,
    });
    await find('#count');
    await unit.call('WR_element_click');
    expect(await unit.call('WR_execute_script', { script: 'return [window.said, window.waits]' })).toEqual([
      ['count'],
      [],
    ]);
  });
});
