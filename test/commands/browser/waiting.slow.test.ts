import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

const SECONDS = '\\d+\\.?\\d* s';

function waited(message: string): number {
  return Number(/waited ([\d.]+) s$/.exec(message)?.[1]);
}

describeInChromium('waiting for an element', () => {
  let pages: Pages;
  let unit: Session;
  /** Settings of the unit: a test that another limit must end gives its actions more. */
  const limits = { browser_action_ms: 600 };
  beforeAll(async () => {
    pages = await servePages();
    unit = await session({
      settings: { ...chromium.pages, limits },
      unit: { base_url: { lit: `${pages.url}/` } },
    });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=800,600'] });
    await unit.call('WR_pw_launch', {});
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 600 });
    await unit.call('WR_pw_set_default_navigation_timeout', { timeout_ms: 30_000 });
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await unit.call('WR_to_url', { url: '/waiting' });
    await unit.call('WR_pw_to_url', { url: '/waiting' });
  });
  /** A change of the page in a while. */
  function later(change: string): string {
    return `const [it, box] = ['count', 'under-label'].map((id) => document.getElementById(id));
      setTimeout(() => { ${change} }, 200);`;
  }
  async function find(css: string): Promise<void> {
    await unit.call('WR_save_test_object', { test_object_name: css, object_type: 'css_selector' });
    await unit.call('WR_find_recorded_element', { element_name: css });
  }

  test.each([
    ['#never-enabled', 'not enabled: it is disabled'],
    ['#in-fieldset', 'not enabled: its fieldset is disabled'],
    ['#never-visible', 'not visible: it is inside <div#curtained> "Never visible", whose display is none'],
    ['#never-free', 'not reachable: it is covered by <div#curtain> "curtain"'],
    ['#never-awake', 'not reachable: it is inside <div> "Never awake", which is inert'],
    ['#never-touched', 'not reachable: it takes no pointer: pointer-events is none'],
  ])('both engines say the same of %s, and for how long', async (css, words) => {
    await find(css);
    const first = await failureOf(unit.call('WR_element_click'));
    const second = await failureOf(unit.call('WR_pw_click', { selector: css }));
    expect(first.message).toMatch(
      new RegExp(`^The element css "${css}" cannot be used this way: ${words}, for ${SECONDS}; waited ${SECONDS}$`),
    );
    expect(waited(first.message)).toBeGreaterThanOrEqual(0.6);
    expect(second.message).toBe(`The element "${css}" cannot be used this way: ${words}; waited 0.6 s`);
  });

  test('a time limit of the step ends the wait with the reason, on both engines', async () => {
    await find('#never-enabled');
    limits.browser_action_ms = 30_000;
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 30_000 });
    // As much of it as is ever kept for the reason: a machine may be busy.
    const limit = { timeout_s: 1.6 };
    const first = await failureOf(unit.call('WR_element_click', {}, limit));
    const second = await failureOf(unit.call('WR_pw_click', { selector: '#never-enabled' }, limit));
    limits.browser_action_ms = 600;
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 600 });
    expect(first.message).toMatch(new RegExp(`not enabled: it is disabled, for ${SECONDS}; waited ${SECONDS}$`));
    // Where the page does not answer in the rest of the time, the library's own words are the reason.
    expect(second.message).toMatch(new RegExp(`not enabled(: it is disabled)?; waited ${SECONDS}$`));
    for (const { message } of [first, second]) expect(waited(message)).toBeLessThan(30);
    const hidden = { selector: '#never-visible', timeout: 5000 };
    const unseen = await failureOf(unit.call('WR_pw_wait_for_selector', hidden, limit));
    expect(unseen.message).toMatch(/^The wait ended after [\d.]+ s: "#never-visible" did not become visible\.$/);
    expect(unseen.options.actual).toMatch(/^not visible: it is inside <div#curtained>/);
    await unit.call('WR_implicitly_wait', { time_to_wait: 5 });
    await unit.call('WR_save_test_object', { test_object_name: 'gone', object_type: 'css_selector' });
    const gone = await failureOf(unit.call('WR_find_recorded_element', { element_name: 'gone' }, limit));
    expect(gone.message).toContain('css "gone"');
    await unit.call('WR_implicitly_wait', { time_to_wait: 0 });
    await find('#disabled-first');
    await unit.call('WR_element_click');
  });

  test('a page that is busy when the time is over does not hide what is known of the element', async () => {
    const busyAfter = (look: number): string => `const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { for (const end = performance.now() + 1000; performance.now() < end;); };
      const own = getComputedStyle;
      let looks = 0;
      getComputedStyle = (at) => { if (++looks === ${look}) port2.postMessage(0); return own(at); };`;
    // The answer of the look after which the page is busy comes late, too.
    for (const [look, words] of [
      [2, `not enabled: it is disabled, for ${SECONDS}; waited ${SECONDS}`],
      [1, `the page did not answer; waited ${SECONDS}`],
    ] as const) {
      await unit.call('WR_to_url', { url: '/waiting' });
      await find('#never-enabled');
      await unit.call('WR_execute_script', { script: busyAfter(look) });
      const failure = await failureOf(unit.call('WR_element_click', {}, { timeout_s: 0.5 }));
      expect(failure.message).toMatch(new RegExp(`cannot be used this way: ${words}$`));
    }
    // The look that was left does not stand in the way of the next one.
    await find('#disabled-first');
    await unit.call('WR_element_click');
  });

  test('a page that is busy is not taken for an element that is not ready', async () => {
    const busyFor = (ms: number): string => `for (const end = performance.now() + ${ms}; performance.now() < end;);`;
    await unit.call('WR_pw_evaluate', {
      expression: `document.getElementById('far-below').onclick = () => { ${busyFor(6000)} }`,
    });
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 3000 });
    const clicked = await failureOf(unit.call('WR_pw_click', { selector: '#far-below' }));
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 600 });
    expect(clicked.message).toMatch(/cannot be used this way: the page did not answer after the click; waited/);
    await unit.call('WR_pw_to_url', { url: '/waiting' });
    await unit.call('WR_pw_evaluate', { expression: `setTimeout(() => { ${busyFor(5000)} }, 20), null` });
    await unit.call('WR_pw_wait_for_timeout', { timeout_ms: 100 });
    const unseen = await failureOf(unit.call('WR_pw_click', { selector: '#nowhere' }));
    expect(unseen.message).toMatch(/it was not found until then, and the page does not answer; waited/);
  });

  test('an option that comes late, and a list that is disabled at first, are waited for', async () => {
    const lists = `document.body.insertAdjacentHTML('beforeend',
        '<select id="late"><option>One</option></select><select id="shut" disabled><option>One</option><option>Two</option></select>');
      setTimeout(() => { document.querySelector('#late').add(new Option('Two')); document.querySelector('#shut').disabled = false; }, 250);`;
    await unit.call('WR_execute_script', { script: lists });
    for (const css of ['#late', '#shut']) {
      await find(css);
      await unit.call('WR_element_select_by_visible_text', { text: 'Two' });
      expect(await unit.call('WR_element_get_property', { name: 'value' })).toBe('Two');
    }
    const script = "document.querySelector('#shut').options[0].disabled = true";
    await unit.call('WR_execute_script', { script });
    expect((await failureOf(unit.call('WR_element_select_by_index', { index: 0 }))).message).toMatch(
      /^The element css "#shut" cannot be used this way: the option is disabled; waited 0\.[6-9] s$/,
    );
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

  test.each([
    ['text', "it.textContent = 'Later'", { text: 'Later' }],
    ['displayed', "it.style.display = 'none'", { displayed: false }],
    ['enabled', 'it.disabled = true', { enabled: false }],
    ['selected', 'box.checked = true', { selected: true }],
    ['attributes', "it.title = 'later'", { attributes: { title: 'later' } }],
    ['size', "it.style.cssText = 'width:70px;height:30px'", { size: { width: 70, height: 30 } }],
    ['two facts', "it.title = 'later'; it.disabled = true", { enabled: false, attributes: { title: 'later' } }],
  ])('an assertion of an element waits until it holds: %s', async (_, change, check_dict) => {
    await find('selected' in check_dict ? '#under-label' : '#count');
    await unit.call('WR_execute_script', { script: later(change) });
    await unit.call('WR_element_assert', { check_dict });
  });

  test.each([
    ['title', "document.title = 'Later'", { title: 'Later' }],
    ['address', "history.pushState(null, '', '?later')", { current_url: '/waiting?later' }],
  ])('an assertion of a session waits until it holds: %s', async (_, change, facts) => {
    await unit.call('WR_execute_script', { script: later(change) });
    const { current_url, ...rest } = facts as Readonly<Record<string, string>>;
    const check_dict = current_url === undefined ? rest : { current_url: `${pages.url}${current_url}` };
    await unit.call('WR_check_current_webdriver', { check_dict });
  });

  test('an assertion that never holds says how long it was waited for, one that never can is not waited for', async () => {
    await find('#count');
    const never = await failureOf(unit.call('WR_element_assert', { check_dict: { text: 'No', enabled: true } }));
    expect(never.message).toMatch(
      /^The element css "#count" is not as expected: text; waited (?:0\.[6-9]|[1-9](?:\.\d)?) s\.$/,
    );
    expect(never.options).toMatchObject({ expected: { text: 'No' }, actual: { text: 'Count' } });
    const fixed = { check_dict: { tag_name: 'a', text: 'No' } };
    expect((await failureOf(unit.call('WR_element_assert', fixed))).message).toMatch(/text; waited 0(\.[0-4])? s\.$/);
    const session = await failureOf(unit.call('WR_check_current_webdriver', { check_dict: { name: 'lynx' } }));
    expect(session.message).toMatch(/^The browser session is not as expected: name; waited 0(\.[0-4])? s\.$/);
  });

  test('a failure names the frame and the shadow root in which the element is, or was looked for', async () => {
    await unit.call('WR_to_url', { url: '/frames' });
    await unit.call('WR_pw_to_url', { url: '/frames' });
    const chain = { selectors: ['#outer', '#inner'] };
    await unit.call('WR_iframe_switch_chain', chain);
    await unit.call('WR_pw_frame_locator_chain', chain);
    const place = ' in the frame css "#outer" > css "#inner"';
    expect((await failureOf(find('#drop'))).message).toContain(`No element matches css "#drop"${place} on`);
    await find('#field');
    const disable = 'document.getElementById("field").disabled = true';
    await unit.call('WR_execute_script', { script: disable });
    expect((await failureOf(unit.call('WR_element_click'))).message).toContain(`css "#field"${place} cannot be used`);
    const wait = { wait_time: 0.1, condition: { element_present: { css: '#drop' } } };
    expect((await failureOf(unit.call('WR_explicit_wait', wait))).message).toContain(`${place} did not hold`);
    const second = await failureOf(unit.call('WR_pw_click', { selector: '#drop' }));
    expect(second.message).toContain('No element matches "#drop" in the frame "#outer" > "#inner" on');
    await unit.call('WR_pw_evaluate', { expression: disable });
    const closed = await failureOf(unit.call('WR_pw_click', { selector: '#field' }));
    expect(closed.message).toContain('"#field" in the frame "#outer" > "#inner" cannot be used');
    const missing = await failureOf(unit.call('WR_pw_frame_locator_chain', { selectors: ['#outer', '#nothing'] }));
    expect(missing.message).toContain('"#nothing" in the frame "#outer" on');

    await unit.call('WR_to_url', { url: '/shadow' });
    await unit.call('WR_pw_to_url', { url: '/shadow' });
    const hide = 'document.querySelector("#open").shadowRoot.querySelector(".word").hidden = true';
    await unit.call('WR_execute_script', { script: hide });
    await unit.call('WR_pw_evaluate', { expression: hide });
    await unit.call('WR_shadow_query', { host_chain: ['#open'], inner_selector: '.word' });
    const words = 'not visible: display is none, in the shadow root of <div#open>';
    expect((await failureOf(unit.call('WR_element_click'))).message).toContain(words);
    expect((await failureOf(unit.call('WR_pw_click', { selector: '#open >> .word' }))).message).toContain(words);
  });

  test('an element that changes after it was found is looked at again', async () => {
    await unit.call('WR_execute_script', {
      script: "setTimeout(() => { document.querySelector('#count').disabled = true; }, 60)",
    });
    await find('#count');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect((await failureOf(unit.call('WR_element_click'))).message).toContain('not enabled: it is disabled');
  });

  test('finding an element moves nothing in the page', async () => {
    const place = { script: 'return [scrollX, scrollY, document.activeElement.localName]' };
    await find('#far-below');
    expect(await unit.call('WR_execute_script', place)).toEqual([0, 0, 'body']);
    await unit.call('WR_element_click');
    expect(await unit.call('WR_execute_script', place)).not.toEqual([0, 0, 'body']);
  });

  test('a wait of the second engine says what was there at its end', async () => {
    const waited = async (selector: string, state = 'visible'): Promise<readonly unknown[]> => {
      const failure = await failureOf(unit.call('WR_pw_wait_for_selector', { selector, state, timeout: 200 }));
      return [failure.message, failure.options.actual, failure.facts.help];
    };
    const ended = 'The wait ended after 0.2 s:';
    expect(await waited('#coun')).toEqual([
      `${ended} "#coun" did not become visible.`,
      'not on the page',
      'If it has another name now, write `#count` in its place.',
    ]);
    expect(await waited('#count', 'hidden')).toEqual([
      `${ended} "#count" did not become hidden.`,
      'visible',
      undefined,
    ]);
    const { message } = await failureOf(unit.call('WR_pw_wait_for_url', { url: '**/nowhere', timeout: 200 }));
    expect(message).toBe(`${ended} the address did not match "**/nowhere".`);
  });

  test('what is in another frame is told with the way there, on both engines', async () => {
    const inner = "<iframe title='Card'></iframe><b id='outer'>";
    const url = `data:text/html,${encodeURIComponent(`<i id="top"></i><iframe name="pay" srcdoc="${inner}"></iframe>`)}`;
    for (const engine of ['', 'pw_']) await unit.call(`WR_${engine}to_url`, { url });
    const fill =
      "document.querySelector('iframe').contentDocument.querySelector('iframe').contentDocument.body.id = 'number'; return null";
    await unit.call('WR_execute_script', { script: fill });
    await unit.call('WR_pw_evaluate', { expression: `(() => { ${fill} })()` });
    const helps = async (id: string): Promise<readonly unknown[]> => {
      const first = await failureOf(find(`#${id}`));
      const second = await failureOf(unit.call('WR_pw_click', { selector: `#${id}` }));
      return [first.facts.help, second.facts.help];
    };
    const chain = '["iframe[name=pay]","iframe[title=Card]"]';
    const where = 'It is in the frame "iframe[name=pay]" > "iframe[title=Card]"';
    expect(await helps('number')).toEqual([
      `${where}: \`WR_iframe_switch_chain: { selectors: ${chain} }\` before this step.`,
      `${where}: \`WR_pw_frame_locator_chain: { selectors: ${chain} }\` before this step.`,
    ]);
    await unit.call('WR_iframe_switch_chain', { selectors: ['iframe'] });
    await unit.call('WR_pw_frame_locator_chain', { selectors: ['iframe'] });
    expect(await helps('top')).toEqual([
      'It is at the top of the page: `WR_iframe_back_to_default` before this step.',
      'It is at the top of the page: `WR_pw_frame_locator_chain: { selectors: [] }` before this step.',
    ]);
    expect((await helps('nowhere')).join()).not.toContain('It is ');
  });

  test('a button that is to be emptied is told from a field', async () => {
    await find('#count');
    const { message } = await failureOf(unit.call('WR_element_clear'));
    expect(message).toBe('The element css "#count" cannot be used this way: no text can be put into it');
  });

  test('a page that broke what finding needs is searched by the driver', async () => {
    await unit.call('WR_execute_script', {
      script: "document.querySelector = () => { throw new Error('broken'); }; window.Element = undefined;",
    });
    await find('#count');
    await unit.call('WR_element_click');
    expect(await unit.call('WR_execute_script', { script: 'return window.said' })).toEqual(['count']);
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
