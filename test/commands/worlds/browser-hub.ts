import { spawn } from 'node:child_process';

import { chromium } from '../../fixtures/chromium.ts';
import type { MakeWorld } from './world.ts';

/** A WebDriver service that waits for sessions at `${ENV.HUB_URL}` and can start the browser `${ENV.HUB_BROWSER}`. */
export const world: MakeWorld = async () => {
  const driver = spawn(chromium.driver, ['--port=0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const port = await new Promise<string>((resolve, reject) => {
    let heard = '';
    driver.once('error', reject);
    driver.stdout.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      const found = /started successfully on port (\d+)/.exec(heard)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    settings: chromium.settings,
    env: { HUB_URL: `http://127.0.0.1:${port}`, HUB_BROWSER: chromium.browser },
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => driver.once('exit', resolve));
      driver.kill('SIGKILL');
      await ended;
    },
  };
};
