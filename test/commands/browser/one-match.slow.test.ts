import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { failureOf, session, type Session } from '../call.ts';

const url = `data:text/html,${encodeURIComponent(`<title>Twins</title>
  <input type=checkbox class=box id=a><input type=checkbox class=box id=b>
  <select class=list><option>One</select><select class=list><option>One</select>
  <input type=file class=file><input type=file class=file>
  <iframe class=frame srcdoc="one"></iframe><iframe class=frame srcdoc="two"></iframe>
  <script>window.said = []; addEventListener('click', ({ target }) => said.push(target.id));</script>`)}`;

describeInChromium('one match where one is meant', () => {
  let folder = '';
  let unit: Session;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-one-match-'));
    await writeFile(join(folder, 'a.txt'), 'a');
    unit = await session({ settings: chromium.settings });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_pw_launch', {});
    for (const name of ['.box', '#a'])
      await unit.call('WR_save_test_object', { test_object_name: name, object_type: 'css_selector' });
  });
  afterAll(async () => {
    await unit.end();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    await unit.call('WR_to_url', { url });
    await unit.call('WR_pw_to_url', { url });
  });
  const boxes = '<input#a>, <input#b>';
  const lists = '<select.list> "One", <select.list> "One"';
  const files = '<input.file>, <input.file>';
  const frames = '<iframe.frame>, <iframe.frame>';

  test.each([
    ['WR_pw_check', { selector: '.box' }, boxes],
    ['WR_pw_uncheck', { selector: '.box' }, boxes],
    ['WR_pw_press', { selector: '.box', key: 'Enter' }, boxes],
    ['WR_pw_select_option', { selector: '.list', value: 'One' }, lists],
    ['WR_pw_element_check', { selector: '.box' }, boxes],
    ['WR_pw_element_uncheck', { selector: '.box' }, boxes],
    ['WR_pw_element_press', { selector: '.box', key: 'Enter' }, boxes],
    ['WR_pw_element_select_option', { selector: '.list', value: 'One' }, lists],
    ['WR_pw_drag_and_drop', { source_selector: '#a', target_selector: '.box' }, boxes],
    ['WR_pw_drag_and_drop', { source_selector: '.box', target_selector: '#a' }, boxes],
    ['WR_pw_upload_file', { input_selector: '.file', file_path: 'FILE' }, files],
    ['WR_pw_frame_locator_chain', { selectors: ['.frame'] }, frames],
    ['WR_left_click', { element_name: '.box' }, boxes],
    ['WR_send_keys_to_element', { element_name: '.box', keys_to_send: 'a' }, boxes],
    ['WR_drag_and_drop', { element_name: '#a', target_element_name: '.box' }, boxes],
    ['WR_upload_file', { input_selector: '.file', file_path: 'FILE' }, files],
    ['WR_iframe_switch_chain', { selectors: ['.frame'] }, frames],
  ])('%s with %o fails and names the elements', async (name, args, elements) => {
    const given = 'file_path' in args ? { ...args, file_path: join(folder, 'a.txt') } : args;
    const { facts, message } = await failureOf(unit.call(name, given));
    expect(facts.code).toBe('SVC81043');
    expect(message).toMatch(/^2 elements match (css )?"\.\w+", and one is meant: /);
    expect(message.slice(message.indexOf('meant: ') + 7)).toBe(`${elements}.`);
  });

  test('many are counted, and the first of them named', async () => {
    const expression = "document.body.innerHTML = '<input type=checkbox class=box>'.repeat(9)";
    await unit.call('WR_pw_evaluate', { expression });
    expect((await failureOf(unit.call('WR_pw_check', { selector: '.box' }))).message).toBe(
      `9 elements match ".box", and one is meant: ${Array.from({ length: 5 }, () => '<input.box>').join(', ')} and 4 more.`,
    );
  });

  test('a locator that says which one is enough', async () => {
    await unit.call('WR_pw_check', { selector: '.box >> nth=1' });
    expect(await unit.call('WR_pw_evaluate', { expression: 'said' })).toEqual(['b']);
    await unit.call('WR_save_test_object', { test_object_name: "(//*[@class='box'])[2]", object_type: 'xpath' });
    await unit.call('WR_left_click', { element_name: "(//*[@class='box'])[2]" });
    await unit.call('WR_perform');
    expect(await unit.call('WR_execute_script', { script: 'return said' })).toEqual(['b']);
  });

  test('commands of which the reference says so use the first match', async () => {
    await unit.call('WR_pw_click', { selector: '.box' });
    expect(await unit.call('WR_pw_evaluate', { expression: 'said' })).toEqual(['a']);
    await unit.call('WR_find_recorded_element', { element_name: '.box' });
    await unit.call('WR_element_click');
    expect(await unit.call('WR_execute_script', { script: 'return said' })).toEqual(['a']);
  });

  test('a selector that the page cannot read is told with the reason', async () => {
    await unit.call('WR_save_test_object', { test_object_name: 'button[nam="x"]', object_type: 'role' });
    const failure = await failureOf(unit.call('WR_find_recorded_element', { element_name: 'button[nam="x"]' }));
    expect(failure.message).toContain('cannot be read: Unknown attribute "nam"');
  });
});
