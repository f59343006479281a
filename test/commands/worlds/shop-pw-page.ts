import { chromium } from '../../fixtures/chromium.ts';
import { servePages } from '../../fixtures/chromium-pages.ts';
import type { MakeWorld } from './world.ts';

/** The second engine on the first page of a small shop at `${ENV.SHOP_URL}`. */
export const world: MakeWorld = async () => {
  const pages = await servePages();
  const open = ['WR_pw_to_url', { url: `${pages.url}/` }];
  return {
    before: [['WR_pw_launch', {}], open],
    reset: [
      ['WR_clear_test_objects'],
      ['WR_pw_set_default_timeout', { timeout_ms: 10_000 }],
      ['WR_pw_set_default_navigation_timeout', { timeout_ms: 10_000 }],
      ['WR_pw_find_elements', { selector: 'no-such-element' }],
      open,
    ],
    env: { SHOP_URL: pages.url },
    settings: chromium.pages,
    [Symbol.asyncDispose]: () => pages[Symbol.asyncDispose](),
  };
};
