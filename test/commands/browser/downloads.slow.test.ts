import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { failureOf, session, type Session } from '../call.ts';

const text = 'tea;3\n';
const sha256 = createHash('sha256').update(text).digest('hex');

describeInChromium('downloads', () => {
  let pages: Pages;
  let unit: Session;
  let root = '';
  const folder = (name: string): string => join(root, 'deep', 'er', name);
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'svc-downloads-')));
    await mkdir(folder('webdriver'), { recursive: true });
    pages = await servePages();
    unit = await session({ settings: chromium.settings, root, unit: { base_url: { lit: `${pages.url}/` } } });
    await unit.call('WR_pw_launch', {});
    const prefs = { 'download.default_directory': folder('webdriver') };
    await unit.call('WR_new_driver', { webdriver_name: 'chromium', experimental_options: { prefs } });
    await unit.call('WR_to_url', { url: '/downloads' });
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
    await rm(root, { recursive: true });
  });

  async function click(id: string): Promise<void> {
    await unit.call('WR_save_test_object', { test_object_name: id, object_type: 'id' });
    await unit.call('WR_find_recorded_element', { element_name: id });
    await unit.call('WR_element_click');
  }
  const awaited = (directory: string, before: unknown, timeout = 10): Promise<unknown> =>
    unit.call('WR_wait_for_download', { directory, before, timeout, poll_seconds: 0.05 });
  const fetched = (id: string, directory: string, timeout = 10): Promise<unknown> =>
    unit.call('WR_pw_download_file', { selector: `#${id}`, directory, timeout });

  test('are awaited, hashed and linked from the report on both engines', async () => {
    const directory = folder('webdriver');
    // The test may be tried again.
    for (const left of [join(directory, 'report.csv'), folder('twice')])
      await rm(left, { recursive: true, force: true });
    const before = await unit.call('WR_snapshot_directory', { directory });
    await click('report');
    expect(await awaited(directory, before)).toBe(join(directory, 'report.csv'));
    expect(unit.evidence).toContainEqual(expect.objectContaining({ text: `6 bytes, sha256 ${sha256}` }));
    await unit.call('WR_pw_to_url', { url: '/downloads' });
    for (const name of ['report.csv', 'report (1).csv']) {
      const path = join(folder('twice'), name);
      expect(await fetched('report', folder('twice'))).toEqual({ path, name: 'report.csv', size: 6, sha256 });
      expect(unit.evidence).toContainEqual({ kind: 'file', name: 'download', path });
      expect(await readFile(path, 'utf8')).toBe(text);
    }
  });

  test('stay in their folder, whatever they are called', async () => {
    const directory = folder('webdriver');
    const before = await unit.call('WR_snapshot_directory', { directory });
    await click('outside');
    expect(await awaited(directory, before)).toMatch(/\/deep\/er\/webdriver\/[^/]*outside\.csv$/);
    await unit.call('WR_pw_to_url', { url: '/downloads' });
    expect(await fetched('outside', folder('held'))).toMatchObject({
      path: expect.stringMatching(/\/deep\/er\/held\/[^/]*outside\.csv$/) as string,
    });
    expect(await readdir(root)).toEqual(['deep']);
    expect(await readdir(join(root, 'deep'))).toEqual(['er']);
  });

  test('that are cut off, or never end, are failures, and leave no file that looks whole', async () => {
    await unit.call('WR_pw_to_url', { url: '/downloads' });
    const cut = await failureOf(fetched('cut', folder('cut')));
    expect([cut.facts.code, cut.message]).toEqual(['SVC81041', expect.stringContaining('"cut.csv" did not end')]);
    expect((await failureOf(fetched('endless', folder('cut'), 1))).message).toBe(
      'The download of "endless.csv" did not end: it was still coming after 1 s.',
    );
    expect((await failureOf(fetched('none', folder('cut'), 1))).facts.code).toBe('SVC81092');
    expect(await readdir(folder('.'))).not.toContain('cut');
    const directory = folder('webdriver');
    const before = await unit.call('WR_snapshot_directory', { directory });
    for (const [id, code] of [
      ['endless', /^SVC81041$/],
      // The browser may keep what came of it, to go on later.
      ['cut', /^SVC810(?:41|92)$/],
    ] as const) {
      await click(id);
      await expect.poll(() => readdir(directory), { timeout: 30_000 }).toContainEqual(expect.stringMatching(/load$/));
      expect((await failureOf(awaited(directory, before, 1))).facts.code).toMatch(code);
      expect(await unit.call('WR_list_new_downloads', { directory, before })).toEqual([]);
    }
  });
});
