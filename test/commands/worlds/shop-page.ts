import { chromium } from '../../fixtures/chromium.ts';
import { servePages } from '../../fixtures/chromium-pages.ts';
import type { MakeWorld } from './world.ts';

/** A WebDriver session on the first page of a small shop at `${ENV.SHOP_URL}`. */
export const world: MakeWorld = async () => {
  const pages = await servePages();
  const open = ['WR_to_url', { url: `${pages.url}/` }];
  return {
    before: [['WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=1000,800'] }], open],
    reset: [
      ['WR_clear_test_objects'],
      ['WR_implicitly_wait', { time_to_wait: 0 }],
      ['WR_set_page_load_timeout', { time_to_wait: 30 }],
      ['WR_set_script_timeout', { time_to_wait: 30 }],
      ['WR_set_window_size', { width: 1000, height: 800 }],
      ['WR_delete_all_cookies'],
      open,
      ['WR_reset_actions'],
    ],
    env: { SHOP_URL: pages.url },
    // Examples that are refused show it after this time.
    settings: { ...chromium.pages, limits: { browser_action_ms: 1500 } },
    [Symbol.asyncDispose]: () => pages[Symbol.asyncDispose](),
  };
};
