import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import { browserEnded } from '#stdlib/browser/engines/webdriver/browser-watch.ts';

/** Starts a process after a second, as a driver on a busy machine starts its browser, and says its number. */
const late = `setTimeout(() => {
  const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  console.log(pid);
}, 1000);
setInterval(() => {}, 1e6);`;

test.skipIf(process.platform !== 'linux')('a browser that starts late is waited for, and its end is told', async () => {
  const driver = spawn(process.execPath, ['-e', late], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const ended = browserEnded(driver.pid ?? 0, new AbortController().signal);
    const [said] = (await Promise.race([once(driver.stdout, 'data'), ended])) as [Buffer];
    process.kill(Number(said), 'SIGKILL');
    await expect(ended).rejects.toThrow('the browser ended right after its start');
  } finally {
    driver.kill('SIGKILL');
  }
});
