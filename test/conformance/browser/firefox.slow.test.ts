import { existsSync } from 'node:fs';

import { firefox } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { failureOf, session, type Session } from '../../commands/call.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { placeOf } from '../../fixtures/programs.ts';
import { patienceMs, play } from './play.ts';
import { readScenarios } from './scenario.ts';

const scenarios = (await readScenarios()).filter(({ differs }) => differs === undefined);
/** Subjects that need the debugging protocol of Chromium. */
const ofChromium: ReadonlySet<string> = new Set(['throttle', 'service-worker']);
const engines = {
  webdriver: {
    isThere: placeOf('geckodriver') !== undefined && (placeOf('firefox') ?? placeOf('firefox-esr')) !== undefined,
    start: { command: 'WR_new_driver', params: { webdriver_name: 'firefox' } },
    missing: 'geckodriver',
  },
  playwright: {
    isThere: existsSync(firefox.executablePath()),
    start: { command: 'WR_pw_launch', params: { browser: 'firefox' } },
    missing: 'No Firefox of Playwright was found',
  },
} as const;

/** The scenarios of both engines, on machines that have Firefox with its driver, or the one of Playwright. */
for (const engine of ['webdriver', 'playwright'] as const) {
  const { isThere, start, missing } = engines[engine];
  const options = { settings: { limits: { browser_action_ms: patienceMs } } };
  if (!isThere)
    test(`Firefox over ${engine} is left out on this machine: a start says what is missing`, async () => {
      await using unit = await session({ ...options, host: nodeHost({ env: { ...process.env, PATH: '' } }) });
      const failure = await failureOf(unit.call(start.command, start.params));
      expect(`${failure.message} ${failure.facts.help}`).toContain(missing);
    });
  else
    describe(`Firefox over ${engine}`, () => {
      let pages: Pages;
      let unit: Session;
      beforeAll(async () => {
        pages = await servePages();
        unit = await session({ ...options, unit: { base_url: { lit: `${pages.url}/` } } });
        await unit.call(start.command, start.params);
        if (engine === 'playwright') await unit.call('WR_pw_set_default_timeout', { timeout_ms: patienceMs });
      });
      afterAll(async () => {
        await unit.end();
        await pages[Symbol.asyncDispose]();
      });

      test.each(
        scenarios
          .filter(({ subject }) => !ofChromium.has(subject))
          .map((each) => [`${each.subject}: ${each.name}`, each] as const),
      )('%s', async (_, scenario) => void (await play(unit, engine, scenario, false)));
    });
}
