import { afterAll, beforeAll, expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { session, type Session } from '../call.ts';

/** Seconds since 1970, near enough for a browser to keep them. */
const tomorrow = Math.floor(Date.now() / 1000) + 86_400;

interface Cookie {
  readonly name: string;
  readonly expires?: number;
  readonly expiry?: number;
}

describeInChromium('cookies as one engine reads them', () => {
  let pages: Pages;
  let unit: Session;
  beforeAll(async () => {
    pages = await servePages();
    unit = await session({ settings: chromium.pages, unit: { base_url: { lit: `${pages.url}/` } } });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    await unit.call('WR_pw_launch', {});
    for (const open of ['WR_to_url', 'WR_pw_to_url']) await unit.call(open, { url: '/terms.html' });
  });
  afterAll(async () => {
    await unit.end();
    await pages[Symbol.asyncDispose]();
  });

  const named = (cookies: unknown, name: string): Cookie | undefined =>
    (cookies as readonly Cookie[]).find((cookie) => cookie.name === name);

  test('are added by the other with their end', async () => {
    await unit.call('WR_add_cookie', { cookie_dict: { name: 'kept', value: 'here', expiry: tomorrow } });
    await unit.call('WR_add_cookie', { cookie_dict: { name: 'passing', value: 'soon' } });
    await unit.call('WR_pw_add_cookies', { cookies: await unit.call('WR_get_cookies') });
    const ofSecond = (await unit.call('WR_pw_get_cookies')) as readonly Cookie[];
    expect(named(ofSecond, 'kept')?.expires).toBe(tomorrow);
    expect(named(ofSecond, 'passing')?.expires).toBe(-1);
    await unit.call('WR_delete_all_cookies');
    for (const cookie of ofSecond) await unit.call('WR_add_cookie', { cookie_dict: cookie });
    const ofFirst = await unit.call('WR_get_cookies');
    expect(named(ofFirst, 'kept')?.expiry).toBe(tomorrow);
    expect(named(ofFirst, 'passing')).toBeDefined();
    expect(named(ofFirst, 'passing')?.expiry).toBeUndefined();
  });
});
