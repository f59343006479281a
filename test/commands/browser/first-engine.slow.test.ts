import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { call, failureOf, session, type Session } from '../call.ts';

describeInChromium('the first engine', () => {
  let pages: Pages;
  let unit: Session;
  beforeAll(async () => {
    pages = await servePages();
    unit = await session({ settings: chromium.settings, unit: { base_url: { lit: `${pages.url}/` } } });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=900,700'] });
    for (const id of ['one', 'secret', 'pad', 'from'])
      await unit.call('WR_save_test_object', { test_object_name: id, object_type: 'id' });
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await unit.call('WR_reset_actions');
    await unit.call('WR_to_url', { url: '/input' });
  });
  const said = (): Promise<unknown> => unit.call('WR_execute_script', { script: 'return window.said' });

  test('queued input waits for WR_perform, and is performed once', async () => {
    await unit.call('WR_left_click', { element_name: 'pad' });
    expect(await said()).toEqual([]);
    await unit.call('WR_perform');
    expect(await said()).toEqual(['mousedown:pad0', 'mouseup:pad0', 'click:pad0']);
    await unit.call('WR_perform');
    expect(await said()).toHaveLength(3);
  });

  test('buttons and keys that are left down stay down until they are released', async () => {
    await unit.call('WR_left_click_and_hold', { element_name: 'pad' });
    await unit.call('WR_perform');
    await unit.call('WR_move_by_offset', { offset_x: 5, offset_y: 5 });
    await unit.call('WR_perform');
    await unit.call('WR_release');
    await unit.call('WR_perform');
    expect(await said()).toEqual(['mousedown:pad0', 'mouseup:pad0', 'click:pad0']);
    await unit.call('WR_press_key', { keycode_on_key_class: 'SHIFT' });
    await unit.call('WR_perform');
    await unit.call('WR_reset_actions');
    expect(await said()).toEqual([...['mousedown:pad0', 'mouseup:pad0', 'click:pad0'], 'keydown:Shift', 'keyup:Shift']);
  });

  test('keys have names in lists, and texts are typed as they are', async () => {
    await unit.call('WR_send_keys_to_element', { element_name: 'one', keys_to_send: ['ab', 'ARROW_LEFT', 'c'] });
    await unit.call('WR_perform');
    expect(await unit.call('WR_element_get_property', { name: 'value' })).toBe('acb');
    await unit.call('WR_send_keys', { keys_to_send: 'ENTER' });
    await unit.call('WR_perform');
    expect(await unit.call('WR_element_get_property', { name: 'value' })).toBe('acENTERb');
  });

  test('the wheel, the other buttons and drags reach the page', async () => {
    await unit.call('WR_scroll', { scroll_x: 0, scroll_y: 300 });
    await unit.call('WR_perform');
    await expect.poll(() => unit.call('WR_execute_script', { script: 'return scrollY' })).toBe(300);
    await unit.call('WR_to_url', { url: '/input' });
    await unit.call('WR_right_click', { element_name: 'pad' });
    await unit.call('WR_perform');
    expect(await said()).toContain('contextmenu:pad2');
    await unit.call('WR_drag_and_drop', { element_name: 'from', target_element_name: 'pad' });
    await unit.call('WR_perform');
    expect((await said()) as readonly string[]).toEqual(expect.arrayContaining(['mousedown:from0', 'mouseup:pad0']));
    await unit.call('WR_move_by_offset', { offset_x: -5000, offset_y: 0 });
    expect((await failureOf(unit.call('WR_perform'))).facts.code).toBe('SVC81034');
  });

  test('what is typed into a password field is masked, queued too', async () => {
    await unit.call('WR_send_keys_to_element', { element_name: 'secret', keys_to_send: 'open sesame' });
    await unit.call('WR_perform');
    await unit.call('WR_send_keys', { keys_to_send: ['door', 'keeper'] });
    expect(unit.work.run.masker.text('open sesame, doorkeeper, door')).toBe('***, ***, ***');
  });

  test('what was to be typed into a password field is masked, though it never became ready', async () => {
    await unit.call('WR_find_recorded_element', { element_name: 'secret' });
    await unit.call('WR_execute_script', { script: "document.getElementById('secret').disabled = true" });
    const { failure } = await unit.step('WR_element_input', { input_value: 'never typed' }, { timeout_s: 0.5 });
    expect(failure?.message).toContain('it is disabled');
    expect(unit.work.run.masker.text('never typed')).toBe('***');
  });

  test('windows are chosen by handle and by name, and a missing one changes nothing', async () => {
    await unit.call('WR_to_url', { url: '/popup' });
    await unit.call('WR_save_test_object', { test_object_name: 'new', object_type: 'id' });
    await unit.call('WR_find_recorded_element', { element_name: 'new' });
    await unit.call('WR_element_click');
    await unit.call('WR_explicit_wait', { wait_time: 3, condition: { window_count: 2 } });
    expect(
      (await failureOf(unit.call('WR_switch', { switch_type: 'window', switch_target_name: 'none' }))).message,
    ).toBe('No window has the handle or name "none" (2 open).');
    await unit.call('WR_check_current_webdriver', { check_dict: { title: 'Popup' } });
    await unit.call('WR_switch', { switch_type: 'WINDOW', switch_target_name: 'other' });
    await unit.call('WR_explicit_wait', { wait_time: 3, condition: { title_is: 'Leaf' } });
    await unit.call('WR_execute', { driver_command: 'close' });
    expect((await failureOf(unit.call('WR_get_window_rect'))).facts.code).toBe('SVC81081');
    const [left] = (await unit.call('WR_execute', { driver_command: 'getWindowHandles' })) as string[];
    await unit.call('WR_switch', { switch_type: 'window', switch_target_name: left });
    await unit.call('WR_check_current_webdriver', { check_dict: { title: 'Popup' } });
  });

  test('a dialog is read and answered', async () => {
    await unit.call('WR_to_url', { url: '/popup' });
    await unit.call('WR_save_test_object', { test_object_name: 'ask', object_type: 'id' });
    await unit.call('WR_find_recorded_element', { element_name: 'ask' });
    await unit.call('WR_element_click');
    await unit.call('WR_explicit_wait', { wait_time: 3, condition: { dialog_open: true } });
    expect(await unit.call('WR_switch', { switch_type: 'alert' })).toBe('Sure?');
    await unit.call('WR_execute', { driver_command: 'acceptAlert' });
    await unit.call('WR_explicit_wait', { wait_time: 3, condition: { title_is: 'true' } });
  });

  test('a frame is found by id before name, and left one by one', async () => {
    await unit.call('WR_to_url', { url: '/frames' });
    const title = (): Promise<unknown> => unit.call('WR_execute_script', { script: 'return document.title' });
    await unit.call('WR_switch', { switch_type: 'frame', switch_target_name: 'outer' });
    await unit.call('WR_switch', { switch_type: 'frame', switch_target_name: 'inner' });
    expect(await title()).toBe('Leaf');
    await unit.call('WR_switch', { switch_type: 'parent_frame' });
    expect(await title()).toBe('Outer');
    expect(
      (await failureOf(unit.call('WR_switch', { switch_type: 'frame', switch_target_name: `no"'` }))).facts.code,
    ).toBe('SVC81031');
    expect(await title()).toBe('Outer');
    await unit.call('WR_switch', { switch_type: 'default_content' });
    expect(await title()).toBe('Frames');
  });

  test('the log of the browser holds its errors once', async () => {
    await unit.call('WR_get_log', { log_type: 'browser' });
    await unit.call('WR_execute_script', { script: 'console.error("the till is open")' });
    const entries = (await unit.call('WR_get_log', { log_type: 'browser' })) as readonly {
      level: string;
      message: string;
    }[];
    expect(entries.map(({ level }) => level)).toEqual(['SEVERE']);
    expect(entries[0]?.message).toContain('the till is open');
    expect(await unit.call('WR_get_log', { log_type: 'browser' })).toEqual([]);
    expect((await failureOf(unit.call('WR_get_log', { log_type: 'client' }))).message).toMatch(
      /it has: browser, driver/,
    );
  });
});

describe('downloads', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'svc-downloads-'))));
  afterAll(() => rm(folder, { recursive: true }));

  test('a file counts when it is finished', async () => {
    const before = await call('WR_snapshot_directory', { directory: folder });
    const waiting = call('WR_wait_for_download', {
      directory: folder,
      timeout: 10,
      suffix: '.CSV',
      poll_seconds: 0.02,
      before,
    });
    await writeFile(join(folder, 'other.txt'), 'x');
    await writeFile(join(folder, '.org.chromium.Chromium.a1B2c3'), '');
    await writeFile(join(folder, 'report.csv.crdownload'), 'half');
    expect(await call('WR_list_new_downloads', { directory: folder, before })).toEqual([join(folder, 'other.txt')]);
    await rename(join(folder, 'report.csv.crdownload'), join(folder, 'report.csv'));
    expect(await waiting).toBe(join(folder, 'report.csv'));
    const late = await failureOf(call('WR_wait_for_download', { directory: folder, timeout: 0.1, suffix: '.pdf' }));
    expect(late.message).toBe(`No new file that ends in ".pdf" appeared in "${folder}" within 0.1 s.`);
  });
});
