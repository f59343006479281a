import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { ownTemporary } from '../../fixtures/own-temporary.ts';
import { processesWith } from '../../fixtures/processes-with.ts';
import { failureOf, session } from '../call.ts';

const held = fileURLToPath(new URL('../../fixtures/chromium-held.ts', import.meta.url));

describeInChromium('of a browser nothing is left', () => {
  ownTemporary();

  test.skipIf(process.platform !== 'linux').for([
    ['webdriver', 'SIGKILL'],
    ['webdriver', 'exit'],
    ['playwright', 'SIGKILL'],
    ['playwright', 'exit'],
  ] as const)('when the process that opened it with %s ends by %s', async ([engine, ending]) => {
    const mark = randomUUID();
    const child = spawn(process.execPath, ['--conditions=source', held, engine, ending], {
      env: { ...process.env, SVC_TEST_MARK: mark },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    if (ending === 'SIGKILL') {
      expect(processesWith(mark).length).toBeGreaterThan(2);
      child.kill('SIGKILL');
    }
    await ended;
    await expect.poll(() => processesWith(mark), { timeout: 5000 }).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    'when its driver is killed, the next step says so and the end of the unit is in order',
    async () => {
      const mark = randomUUID();
      const env = { ...process.env, SVC_TEST_MARK: mark };
      const { nodeHost } = await import('#runtime/hosts/node.ts');
      const unit = await session({ settings: chromium.settings, host: { ...nodeHost(), env } });
      await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
      const driver = processesWith(mark).find(({ name }) => name === 'chromedriver');
      expect(driver).toBeDefined();
      process.kill(driver?.pid ?? 0, 'SIGKILL');
      await sleep(200);
      const failure = await failureOf(unit.call('WR_get_window_rect'));
      expect(failure.facts).toMatchObject({ code: 'SVC81006', class: 'environment' });
      await unit.end();
      await expect.poll(() => processesWith(mark), { timeout: 5000 }).toEqual([]);
    },
  );

  test.skipIf(process.platform !== 'linux')('when the browser itself is killed, the next step says so', async () => {
    const mark = randomUUID();
    const { nodeHost } = await import('#runtime/hosts/node.ts');
    await using unit = await session({
      settings: chromium.settings,
      host: { ...nodeHost(), env: { ...process.env, SVC_TEST_MARK: mark } },
    });
    await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
    for (const { pid, name } of processesWith(mark)) if (name === 'chromium') process.kill(pid, 'SIGKILL');
    const failure = await failureOf(unit.call('WR_to_url', { url: 'about:blank' }));
    expect(failure.facts).toMatchObject({ code: 'SVC81006', class: 'environment' });
  });
});
