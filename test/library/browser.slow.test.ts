import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as svc from '#compiler/library/browser.ts';

import { chromium, describeInChromium } from '../fixtures/chromium.ts';
import { servePages, type Pages } from '../fixtures/chromium-pages.ts';

describe('svc/browser beside browsers', () => {
  it('orders, shards and classifies', async () => {
    expect(await svc.topological_order({ 'b.yaml': ['a.yaml'], 'a.yaml': [] })).toEqual(['a.yaml', 'b.yaml']);
    expect(await svc.parse_shard_spec('2/4')).toEqual([2, 4]);
    const paths = ['a', 'b', 'c', 'd'];
    const shards = await Promise.all([svc.partition(paths, 1, 2), svc.partition_with_spec(paths, '2/2')]);
    expect(shards.flat().toSorted()).toEqual(paths);
    expect(await svc.classify_error('ECONNRESET: connection reset')).toBe('transient');
  });

  it('checks headers, archives and values', async () => {
    expect(JSON.stringify(await svc.audit_security_headers({}))).toContain('Content-Security-Policy');
    expect(await svc.scan_secrets({ note: 'nothing' })).toEqual([]);
    await expect(svc.perf_assert_within({ lcp: 3000 }, { lcp: 2500 })).rejects.toBeInstanceOf(svc.Failure);
  });

  it('keeps a ledger', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-library-'));
    try {
      const ledger = join(folder, 'ledger.json');
      await svc.ledger_record_run(ledger, 'a.yaml', true);
      await svc.ledger_record_run(ledger, 'b.yaml', false);
      expect(await svc.ledger_failed_files(ledger)).toEqual(['b.yaml']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('writes page objects and reads action lists', async () => {
    expect(await svc.generate_pom_from_html('<input id="mail">', 'LoginPage')).toContain('class LoginPage');
    expect(await svc.validate_action_json([['WR_to_url', { url: 'https://shop.test/' }]])).toBe(true);
    expect(await svc.list_commands()).toContain('WR_to_url');
  });
});

describeInChromium('svc/browser', () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await servePages();
  });
  afterAll(() => pages[Symbol.asyncDispose]());

  for (const engine of ['playwright', 'webdriver'] as const)
    it(`drives a browser over ${engine}`, async () => {
      await using browser = await svc.BrowserSession.open({ engine, settings: chromium.settings });
      if (engine === 'playwright') {
        await browser.run('WR_pw_to_url', { url: `${pages.url}/forms` });
        await browser.run('WR_pw_fill', { selector: 'label=Note', value: 'hello' });
        expect(await browser.run('WR_pw_title')).toBe('Forms');
        await expect(browser.run('WR_pw_click', { selector: 'lable=x' })).rejects.toMatchObject({
          facts: { code: expect.any(String) as string },
        });
      } else {
        await browser.run('WR_to_url', { url: `${pages.url}/forms` });
        await browser.run('WR_save_test_object', { test_object_name: 'note', object_type: 'label', locator: 'Note' });
        await browser.run('WR_find_recorded_element', { element_name: 'note' });
        await browser.run('WR_element_input', { input_value: 'hello' });
        expect(await browser.run('WR_element_get_property', { name: 'value' })).toBe('hello');
      }
    });

  it('leaves nothing where the browser does not start', async () => {
    const settings = { browser: { executable_path: '/nowhere/chromium' } };
    await expect(svc.BrowserSession.open({ settings })).rejects.toBeInstanceOf(svc.Failure);
  });
});
