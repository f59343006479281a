import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session } from '../call.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

describeInChromium('pictures of failed steps', () => {
  let pages: Pages;
  let folder: string;
  beforeAll(async () => {
    pages = await servePages();
    folder = await mkdtemp(join(tmpdir(), 'svc-shots-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await pages[Symbol.asyncDispose]();
  });
  const failing = ['AT_extract_and_store', { response: {}, path: 'x', name: 'a' }] as const;

  test('are kept once a failing step, the first engine asked first, and not without a browser', async () => {
    await using unit = await session({ settings: chromium.pages });
    const path = join(folder, 'deep/shots');
    await unit.call('WR_set_failure_screenshot_dir', { path });
    await unit.call('WR_set_retry_policy', { retries: 1 });
    expect((await failureOf(unit.call(...failing))).message).not.toContain('screenshot');
    expect(await readdir(path)).toEqual([]);

    await unit.call('WR_pw_launch');
    await unit.call('WR_pw_to_url', { url: `${pages.url}/` });
    await unit.call('WR_pw_set_default_timeout', { timeout_ms: 1500 });
    const { message } = await failureOf(unit.call('WR_pw_click', { selector: '#none' }));
    expect(message).toContain('(failure screenshot: ');
    const [, shot = ''] = /\(failure screenshot: (.+)\)$/.exec(message) ?? [];
    expect(shot.slice(path.length)).toMatch(/^\/\d{8}_\d{6}_\d{6}_WR_pw_click\.png$/);
    expect((await readFile(shot)).subarray(0, 4)).toEqual(PNG);
    expect(unit.records.at(-1)?.error?.message).toContain(shot);

    await unit.call('WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=700,500'] });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
    await unit.step('WR_execute_action', { action_list: [failing] });
    const [inner, outer] = unit.records.slice(-2);
    const [, second = ''] = /\(failure screenshot: (.+)\)$/.exec(inner?.error?.message ?? '') ?? [];
    // The window of the first engine is smaller than the page of the second.
    expect((await readFile(second)).readUInt32BE(16)).toBe(700);
    expect(outer?.error?.message).not.toContain('screenshot');
    expect(await readdir(path)).toHaveLength(2);

    await rm(join(folder, 'deep'), { recursive: true });
    await unit.call('WR_set_failure_screenshot_dir', { path: null });
    expect((await failureOf(unit.call(...failing))).message).not.toContain('screenshot');
  });

  test('rows of a list begin with the pages and cookies of the first where that is wanted', async () => {
    await using unit = await session({ settings: chromium.pages });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
    const list = [
      ['WR_get_cookies', {}],
      ['WR_add_cookie', { cookie_dict: { name: 'row', value: '1' } }],
      ['WR_to_url', { url: `${pages.url}/terms.html` }],
    ];
    const named = async (fresh_state: boolean): Promise<unknown> => {
      const rows = (await unit.call('WR_run_with_dataset', {
        action_data: list,
        rows: [{ a: 1 }, { a: 2 }],
        fresh_state,
      })) as {
        readonly steps: readonly { readonly result: readonly { readonly name: string }[] }[];
      }[];
      return rows.map(({ steps: [first] }) => first?.result.some(({ name }) => name === 'row'));
    };
    expect(await named(true)).toEqual([false, false]);
    await unit.call('WR_delete_all_cookies');
    expect(await named(false)).toEqual([false, true]);
  });

  test('users and sides begin anew where that is asked for', async () => {
    await using unit = await session({ settings: chromium.pages });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_to_url', { url: `${pages.url}/` });
    const action_data = [
      ['WR_execute_script', { script: 'if (localStorage.user) throw new Error("logged in"); localStorage.user = 1' }],
      ['WR_to_url', { url: `${pages.url}/terms.html` }],
    ];
    const users = ['ada', 'bob'].map((name) => [name, null]);
    const ended = async (command: string, params: Record<string, unknown>): Promise<string | undefined> =>
      (await unit.step(command, { action_data, ...params })).failure?.message;
    expect(await ended('WR_run_for_users', { user_setups: users, fresh_state: true })).toBeUndefined();
    await unit.call('WR_local_storage_clear');
    expect(await ended('WR_run_ab', { fresh_state: true })).toBeUndefined();
    await unit.call('WR_local_storage_clear');
    expect(await ended('WR_run_for_users', { user_setups: users })).toBe('1 of the steps in its list failed.');
  });
});
